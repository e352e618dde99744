/* psw: violated=invalid_end_state states=8 transitions=9 errors=2 */
/* Blocking forever inside an atomic sequence is an invalid end state. */
byte x, y;
active proctype A() { atomic { x = 1; y == 1; x = 2 } }
active proctype B() { x = x + 4 }
