/* psw: holds states=52 transitions=84 */
/* A state of several kilobytes. */
int a[1000];
active proctype A() { byte i; do :: i < 5 -> a[i * 100] = i + 1; i++ :: else -> break od }
active proctype B() { a[999] = 1 }
