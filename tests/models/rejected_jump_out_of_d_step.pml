/* psw: rejected */
/* A jump out of a d_step. */
byte x;
active proctype A() { d_step { x = 1; goto out }; x = 2; out: x = 3 }
