/* psw: rejected */
/* Names of another mtype do not fit. */
mtype:a = { a1, a2 };
mtype:b = { b1, b2 };
mtype:a v = a1;
active proctype A() { v = b1 }
