/* psw: holds states=6 transitions=6 */
/* Two names of one channel. */
chan c = [1] of { byte };
active proctype A() { chan d; byte v; d = c; d!4; c?v; assert(v == 4) }
