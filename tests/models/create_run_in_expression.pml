/* psw: holds states=52 transitions=74 */
/* `run` in an expression: its value is the pid, and the rest is computed with it. */
byte n;
proctype A(byte id) { n = n + id }
init { byte x, y; x = run A(1) + 1; y = 10 - run A(2); assert(x == 2 && (y == 9 || y == 8)); n = 0 }
