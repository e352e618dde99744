/* psw: holds states=11 transitions=11 */
/* A channel travels over two others. */
chan a = [1] of { chan };
chan b = [1] of { chan };
chan c = [1] of { byte };
active proctype P() { a!c }
active proctype Q() { chan x; a?x; b!x }
active proctype R() { chan x; byte v; b?x; x!9; x?v; assert(v == 9) }
