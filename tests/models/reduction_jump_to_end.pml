/* psw: violated=assertion states=245 transitions=568 errors=4 */
/* A jump to the end out of an atomic sequence, while others live and die. */
byte g;
proctype W(byte k) { byte l; l = k; atomic { g = k; if :: k == 1 -> goto fin :: else -> g = 5 fi }; g = 6; fin: atomic { skip } }
init { atomic { run W(1); run W(2); run W(1) }; _nr_pr < 4; assert(g != 5) }
