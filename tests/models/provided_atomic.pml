/* psw: violated=invalid_end_state states=19 transitions=22 errors=1 */
/* A provided clause holds inside an atomic sequence too. */
byte x, y;
active proctype A() provided (x != 2) { atomic { x = 1; x = 2; x = 3 } }
active proctype B() { y = x; x = 0 }
