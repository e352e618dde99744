/* psw: holds states=12 transitions=12 */
/* Macros with arguments. */
#define N 3
#define inc(v) v = v + 1
byte a[N];
active proctype A() { byte i; do :: i < N -> inc(a[i]); inc(i) :: else -> break od }
