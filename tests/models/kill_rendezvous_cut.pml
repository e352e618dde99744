/* psw: holds states=5 transitions=5 */
/* A value that does not fit its message is cut on its way, also in a rendezvous. */
chan c = [0] of { byte };
active proctype S() { int v = 300; c!v }
active proctype R() { int v; c?v; assert(v == 44) }
