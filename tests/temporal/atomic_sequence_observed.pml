/* temporal: together=violated */
/* What an atomic sequence has done before it blocks is seen by a formula alone. */
chan d = [0] of { bit }; bit g, z;
active proctype Q() { atomic { g = 1; end: d!1 } }
active proctype C() { bit y; y = 1; end: d?z }
ltl together { [] !(g == 1 && z == 0) }
