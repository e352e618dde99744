/* psw: violated=array_index states=3 transitions=3 errors=1 */
/* The arguments of printf are evaluated. */
byte a[2], i = 2;
active proctype A() { printf("%d\n", a[i]) }
