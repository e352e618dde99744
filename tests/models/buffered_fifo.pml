/* psw: holds states=17 transitions=22 */
/* Messages leave a channel in the order in which they came. */
chan c = [2] of { byte };
active proctype S() { c!1; c!2; c!3 }
active proctype R() { byte v; c?v; assert(v == 1); c?v; assert(v == 2); c?v; assert(v == 3) }
