/* psw: holds states=15 transitions=19 */
/* A d_step is one transition. */
byte x, y;
active proctype A() { d_step { x = 1; x = 2; x = 3 }; y = 9 }
active proctype B() { y = x }
