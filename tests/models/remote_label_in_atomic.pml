/* psw: violated=invalid_end_state states=13 transitions=15 errors=1 */
/* A label inside an atomic sequence that blocks there. */
byte x, y;
active proctype A() { atomic { x = 1; here: (y == 1); x = 2 } }
active proctype B() { if :: A[0]@here -> y = 1 :: else -> y = 1; y = 2 fi; end: (x == 9) }
