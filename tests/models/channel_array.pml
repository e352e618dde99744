/* psw: holds states=8 transitions=8 */
/* An array of channels. */
chan c[2] = [2] of { byte };
active proctype A() { byte v; c[0]!1; c[1]!2; c[0]!3; assert(len(c[0]) == 2 && len(c[1]) == 1); c[0]?v; assert(v == 1) }
