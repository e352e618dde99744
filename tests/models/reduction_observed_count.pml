/* psw: holds states=72 transitions=257 */
/* The number of processes is what is observed. */
proctype X() { do :: true -> true od }
active proctype A() { byte l; l = 1; run X(); l = 2; run X(); l = 3; do :: true -> true od }
active proctype B() { byte k; k = 1; k = 2; do :: true -> true od }
ltl { [] (_nr_pr != 3) }
