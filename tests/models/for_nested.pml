/* psw: holds states=35 transitions=35 */
/* A for inside a for. */
byte i, j, n;
active proctype A() { for (i : 0 .. 2) { for (j : 0 .. i) { n++ } } assert(n == 6) }
