/* psw: violated=assertion states=16 transitions=23 errors=2 */
/* What an atomic sequence has done before it blocks is seen by a process. */
chan d = [0] of { bit }; bit g, z;
active proctype Q() { atomic { g = 1; end: d!1 } }
active proctype C() { bit y; y = 1; end: d?z }
active proctype D() { end: g == 1; assert(z == 1) }
