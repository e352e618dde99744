/* psw: holds states=4 transitions=4 */
/* A channel is equal to itself only. */
chan c = [1] of { byte };
chan d = [1] of { byte };
active proctype A() { chan e = c; assert(e == c); assert(e != d) }
