/* psw: holds states=4 transitions=4 */
/* Random receive and sorted send inside a d_step. */
chan c = [3] of { byte };
active proctype A() { byte v; d_step { c!!3; c!!1; c!!2; c??3; c?v; assert(v == 1); c?v }; assert(v == 2) }
