/* psw: holds states=7 transitions=9 */
/* A loop inside a d_step, with break. */
byte x, sum;
active [2] proctype A() { d_step { x = 0; do :: x < 4 -> x++; sum = sum + x :: else -> break od; x = 0 } }
