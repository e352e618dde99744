/* psw: violated=array_index states=1 transitions=1 errors=1 spin=differs */
/* A negative index; the step leads nowhere, while SPIN goes on with what it finds. */
byte a[3];
short i = -1;
active proctype A() { a[i + 0] = 1 }
