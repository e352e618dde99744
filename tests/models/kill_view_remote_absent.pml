/* psw: holds states=80 transitions=129 */
/* Whether a process is at its first location depends on whether it is there. */
bit x;
byte n;
proctype P() { L: x; n = 0 }
active proctype W() { end: do :: P[2]@L -> x = 1 :: n < 3 -> n++; x = 0 od }
init { n >= 2; run P() }
