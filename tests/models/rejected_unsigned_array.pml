/* psw: rejected */
/* An array of unsigned. */
unsigned u[2] : 3;
active proctype A() { u[0] = 1 }
