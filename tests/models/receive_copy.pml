/* psw: holds states=10 transitions=10 */
/* A receive in angle brackets binds and leaves the message. */
chan c = [2] of { byte };
active proctype S() { byte v; c!7; c!8; c?<v>; assert(v == 7 && len(c) == 2); c?<7>; c?v; c?<v>; assert(v == 8 && len(c) == 1) }
