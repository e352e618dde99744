/* psw: holds states=189 transitions=407 */
/* The inner loop runs as often as the outer counter says, and processes end meanwhile. */
byte n;
proctype A(byte i; byte j) { n = n + i + j }
init { byte i, j; for (i : 1 .. 2) { for (j : 1 .. i) { run A(i, j) } } }
