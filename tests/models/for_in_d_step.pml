/* psw: holds states=4 transitions=4 */
/* A for inside a d_step. */
byte i, x;
active proctype A() { d_step { for (i : 0 .. 3) { x = x + i } x++ } assert(x == 7) }
