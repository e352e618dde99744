/* psw: holds states=14 transitions=14 */
/* for over a range that starts below zero. */
short i;
byte n;
active proctype A() { for (i : -1 .. 1) { n++ } assert(n == 3) }
