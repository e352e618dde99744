/* psw: holds states=18 transitions=21 */
/* A d_step as the last step of an atomic sequence. */
byte x, y;
active proctype A() { atomic { x = 1; d_step { x = 2; x = 3 } }; x = 4 }
active proctype B() { y = x }
