/* psw: holds states=5 transitions=5 */
/* Initial values of locals, from constants, parameters and globals. */
byte g = 9;
proctype P(byte p) { byte a = 4, b; short c = -1; byte d = g + p; assert(a == 4 && b == 0 && c == -1 && d == 12) }
init { run P(3) }
