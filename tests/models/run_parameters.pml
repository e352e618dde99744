/* psw: holds states=6 transitions=6 */
/* Parameters are truncated to their types. */
byte x;
proctype P(byte a; bit b; short c; int d) { assert(a == 1 && b == 1 && c == -1 && d == -2); x = a }
init { run P(257, 3, 65535, -2) }
