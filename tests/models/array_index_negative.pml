/* psw: violated=array_index states=3 transitions=3 */
/* A negative index. */
byte a[3];
short i = -1;
active proctype A() { a[i + 0] = 1 }
