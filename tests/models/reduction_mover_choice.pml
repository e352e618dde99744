/* psw: violated=assertion states=10 transitions=13 errors=2 */
/* An atomic sequence that goes on by itself where it can, so that only one that blocks accepts what others offer. */
chan c = [0] of { bit }; chan d = [0] of { bit };
active proctype Q() { bit x; atomic { x = 1; end: if :: c?1 -> assert(false) :: d!1 fi } }
active proctype R() { end: c!1 }
active proctype C() { bit y; y = 1; end: d?1 }
