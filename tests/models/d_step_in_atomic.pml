/* psw: holds states=10 transitions=11 */
/* A d_step inside an atomic sequence is one of its steps. */
byte x, y;
active proctype A() { atomic { x = 1; d_step { x = 2; x = 3 }; x = 4 } }
active proctype B() { y = x }
