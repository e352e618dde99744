/* psw: holds states=5 transitions=5 */
/* A channel in an element of an array of structures. */
typedef port { chan in = [0] of { byte } };
port p[2];
active proctype S() { p[1].in!5 }
active proctype R() { byte v; p[1].in?v; assert(v == 5) }
