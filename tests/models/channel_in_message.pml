/* psw: holds states=7 transitions=8 */
/* A channel is sent in a message and used by its receiver. */
chan c = [0] of { chan };
active proctype S() { chan mine = [0] of { byte }; byte v; c!mine; mine?v; assert(v == 5) }
active proctype R() { chan theirs; c?theirs; theirs!5 }
