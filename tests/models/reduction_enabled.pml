/* psw: violated=assertion states=19 transitions=27 errors=3 */
/* Whether another process could move is asked beside steps that it takes alone. */
byte g;
active proctype A() { byte l; l = 1; l == 2; do :: true -> true od }
active proctype B() { byte k; k = 1; if :: enabled(0) -> g = 1 :: else -> g = 2 fi; assert(g == 1); assert(g == 2); do :: true -> true od }
