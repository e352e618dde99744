/* psw: violated=invalid_end_state states=9 transitions=9 errors=2 */
/* A provided clause of another process does not matter inside an atomic sequence. */
byte x, y;
active proctype A() { atomic { x = 1; x = 0; x = 1 } }
active proctype B() provided (x == 0) { y = 1; y = 2 }
