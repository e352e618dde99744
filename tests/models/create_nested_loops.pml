/* psw: holds states=343 transitions=1027 */
/* Two nested loops create processes with two ids. */
byte n;
proctype A(byte i; byte j) { assert(_pid == (i - 1) * 2 + j); n = n + i * j; n = n - i }
init { byte i, j; atomic { for (i : 1 .. 2) { for (j : 1 .. 2) { run A(i, j) } } } }
