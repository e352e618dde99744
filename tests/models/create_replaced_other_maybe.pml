/* psw: holds states=132 transitions=261 */
/* Whether the B has pid 1 or 2 depends on how fast the A is. */
byte n;
proctype A(byte id) { byte x; x = id; n = n + x }
proctype B() { short y = 1000; byte z; z = _pid; y = y + z; assert(y == 1001 || y == 1002); n = n + z }
init { run A(2); run B(); run A(4) }
