/* psw: holds states=21 transitions=33 */
/* A channel of a process. */
active [2] proctype A() { chan c = [1] of { byte }; byte v; c!_pid; c?v; assert(v == _pid) }
