/* psw: holds states=7 transitions=9 */
/* else inside a d_step. */
byte x, y;
active [2] proctype A() { d_step { x++; if :: x > 1 -> y = 1 :: else -> y = 2 fi } }
