/* psw: holds states=10 transitions=11 */
/* Each sender that waits is a partner. */
chan c = [0] of { byte };
active [2] proctype S() { c!_pid }
active proctype R() { byte v, w; c?v; c?w; assert(v != w) }
