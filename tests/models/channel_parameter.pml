/* psw: holds states=11 transitions=13 */
/* Channels as parameters. */
chan a = [1] of { byte };
chan b = [1] of { byte };
proctype P(chan i; chan o) { byte v; i?v; o!v + 1 }
init { byte v; run P(a, b); a!3; b?v; assert(v == 4) }
