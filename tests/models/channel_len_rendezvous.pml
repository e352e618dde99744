/* psw: holds states=9 transitions=11 */
/* A rendezvous channel is always empty. */
chan c = [0] of { byte };
active proctype S() { c!1; assert(len(c) == 0) }
active proctype R() { byte v; assert(len(c) == 0); c?v; assert(len(c) == 0) }
