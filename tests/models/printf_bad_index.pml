/* psw: violated=array_index states=1 transitions=1 errors=1 spin=differs */
/* The arguments of printf are evaluated; the step leads nowhere, while SPIN goes on with what it finds. */
byte a[2], i = 2;
active proctype A() { printf("%d\n", a[i]) }
