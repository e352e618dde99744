/* psw: violated=assertion states=45 transitions=119 errors=9 */
/* Where a sorted send puts its message depends on what is taken meanwhile. */
chan c = [2] of { byte };
init { c!2; atomic { run A(); run B(); run D() } }
proctype A() { c!!1; do :: true -> true od }
proctype B() { byte l; c?l; assert(l == 1); assert(l == 2); do :: true -> true od }
proctype D() { byte l; c??1; do :: true -> true od }
