/* psw: violated=assertion states=162 transitions=346 errors=9 */
/* Whether a process could move, asked by one that others wait for. */
byte g;
active proctype A() { byte l; g == 1; l++; l++ }
active proctype B() { byte l; l++; l++; if :: enabled(0) -> assert(g == 1) :: else -> g = 1; assert(pc_value(0) == pc_value(0)) fi }
active proctype C() { byte l; l++; g = 1; l++; g = 0 }
