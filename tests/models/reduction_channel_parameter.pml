/* psw: violated=assertion states=354 transitions=646 errors=16 */
/* Channels that are arguments, with a rendezvous or a buffer as it comes. */
chan a = [0] of { byte }; chan b = [1] of { byte }; byte g;
proctype S(chan c) { byte l; l = 1; if :: c!l -> g = 1 :: else -> g = 2 fi }
proctype R(chan c) { byte l; l = 1; if :: c?l :: timeout fi; assert(g != 2) }
init { chan v; if :: v = a :: v = b fi; run S(v); run R(v); if :: v = a :: v = b fi; run R(v) }
