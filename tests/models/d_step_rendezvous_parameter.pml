/* psw: holds states=8 transitions=9 */
/* Which channel it is, and that it has no buffer, is known at run time only. */
chan c = [0] of { byte };
byte x, y;
proctype R(chan d) { d_step { d?x; y = x + 1 }; assert(y == 8) }
proctype S(chan d) { d!7 }
init { atomic { run R(c); run S(c) } }
