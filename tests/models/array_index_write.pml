/* psw: violated=array_index states=1 transitions=1 errors=1 spin=differs */
/* Writing beyond an array; the step leads nowhere, while SPIN goes on with what it finds. */
byte a[3], i = 3;
active proctype A() { a[i] = 1 }
