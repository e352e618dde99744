/* psw: rejected */
/* A jump into a d_step. */
byte x;
active proctype A() { goto in; d_step { x = 1; in: x = 2 } }
