/* psw: violated=assertion states=159 transitions=349 errors=31 */
/* An else beside an offer depends on what the pattern of the partner reads. */
chan c = [0] of { byte }; byte x; byte g;
active proctype Q() { byte l; l++; do :: c!1 -> g = 1 :: else -> g = 2; break od; assert(g == 1) }
active proctype R() { byte l; l++; if :: c?eval(x) -> l = 3 :: x == 2 -> l = 4 fi; l++ }
active proctype P() { byte m; m++; x = 1; m++; x = 2 }
