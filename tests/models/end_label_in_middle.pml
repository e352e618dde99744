/* psw: violated=invalid_end_state states=14 transitions=20 errors=1 */
/* An end label inside a sequence. */
byte x;
active proctype A() { x = 1; end1: (x == 2); x = 3; (x == 4) }
active proctype B() { if :: x = 2 :: skip fi }
