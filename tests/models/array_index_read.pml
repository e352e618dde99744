/* psw: violated=array_index states=1 transitions=1 errors=1 spin=differs */
/* Reading beyond an array; the step leads nowhere, while SPIN goes on with what it finds. */
byte a[3], i = 3, x;
active proctype A() { x = a[i] }
