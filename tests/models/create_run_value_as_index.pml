/* psw: holds states=129 transitions=251 */
/* The pid from `run` indexes an array of channels on both sides. */
chan q[4] = [0] of { byte };
proctype A() { byte x; q[_pid]?x; assert(x == _pid) }
init { pid p; byte i; for (i : 1 .. 3) { p = run A(); q[p]!p } }
