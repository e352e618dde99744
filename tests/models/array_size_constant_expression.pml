/* psw: holds states=4 transitions=4 */
/* The size of an array is a constant expression. */
#define N 2
byte a[N + 1];
active proctype A() { a[N] = 1; assert(a[2] == 1) }
