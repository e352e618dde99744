/* psw: holds states=7 transitions=9 */
/* A jump inside a d_step. */
byte x;
active [2] proctype A() { d_step { x = 0; again: x++; if :: x < 3 -> goto again :: else fi; x = x + 10 } }
