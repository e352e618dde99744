/* psw: violated=assertion states=599 transitions=1503 errors=119 */
/* The number of processes, read while others create and die. */
byte g;
proctype W() { byte l; l++; g++ }
active proctype A() { byte l; l++; run W(); l++; run W(); l++; assert(_nr_pr == 4) }
active proctype B() { byte k; k++; k++; if :: _nr_pr == 3 -> g = 7 :: _nr_pr == 2 -> g = 8 fi; assert(g != 8) }
