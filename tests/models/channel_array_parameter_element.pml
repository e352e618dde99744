/* psw: holds states=9 transitions=11 */
/* An element of an array of channels is passed on. */
chan c[2] = [1] of { byte };
proctype P(chan q) { q!7 }
init { byte v; run P(c[1]); c[1]?v; assert(v == 7 && len(c[0]) == 0) }
