/* psw: violated=invalid_end_state states=296 transitions=589 errors=1 */
/* Arrays of channels with indices that others assign. */
chan q[3] = [1] of { byte }; byte i; byte g;
active proctype A() { byte l; q[i]!1; l = 1; if :: full(q[i]) -> i = 1 :: else -> i = 2 fi; q[i]!2 }
active proctype B() { byte l; if :: q[0]?l :: q[1]?l :: q[2]?l fi; g = l; if :: q[g]?l :: q[g]!3 fi }
active proctype C() { byte l; i = 1; l = 1; i = 0 }
