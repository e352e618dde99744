/* psw: violated=invalid_end_state states=4 transitions=4 errors=3 */
/* An invalid end state counts once per stored state. */
byte x, y;
active proctype A() { if :: x = 1 :: x = 2 :: x = 3 fi; (y == 1) }
