/* psw: holds states=15 transitions=15 */
/* for over a range of variables; an empty range runs no time. */
byte i, n, lo = 3, hi = 1;
active proctype A() { for (i : lo .. hi) { n++ } assert(n == 0); hi = 4; for (i : lo .. hi) { n++ } assert(n == 2) }
