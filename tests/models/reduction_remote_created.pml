/* psw: violated=assertion states=44 transitions=125 errors=4 */
/* A process looks at one that another has yet to create; nobody ever dies. */
byte there;
proctype W() { byte l = 3; do :: true -> true od }
active proctype A() { byte l; l = 1; run W(); do :: true -> true od }
active proctype B() { byte l; l = 1; if :: _nr_pr == 3 -> if :: W[2]:l == 3 -> there = 1 :: else -> there = 2 fi; assert(there == 0) :: _nr_pr == 2 fi; do :: true -> true od }
