/* psw: violated=assertion states=16 transitions=23 errors=2 */
/* What an atomic sequence has sent before it blocks is received by a process. */
chan c = [1] of { bit }; chan d = [0] of { bit }; bit z;
active proctype Q() { atomic { c!1; end: d!1 } }
active proctype C() { bit y; y = 1; end: d?z }
active proctype D() { bit v; end: c?v; assert(z == 1) }
