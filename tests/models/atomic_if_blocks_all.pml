/* psw: violated=invalid_end_state states=17 transitions=17 errors=2 */
/* No option of a choice inside an atomic sequence is executable: control is lost there. */
byte x, y;
active proctype A() { atomic { x = 1; if :: y == 1 -> x = 2 :: y == 2 -> x = 3 fi; x = x + 10 } }
active proctype B() { (x == 1); if :: y = 1 :: y = 2 fi; y = y + 2 }
