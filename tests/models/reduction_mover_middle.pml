/* psw: violated=assertion states=16 transitions=23 errors=2 */
/* A step that only comes to a silent statement on its way is as visible as the rest of it. */
chan d = [0] of { bit }; bit g, z;
active proctype Q() { bit x; atomic { g = 1; x = 1; end: d!1 } }
active proctype C() { bit y; y = 1; end: d?z }
active proctype D() { end: g == 1; assert(z == 1) }
