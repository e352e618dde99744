/* psw: holds states=7004 transitions=7004 */
/* A thousand processes one after the other, all with pid 1. */
short n;
proctype A(short id) { assert(_pid == 1 && id == n); n++ }
init { short i; for (i : 0 .. 999) { run A(i); (_nr_pr == 1) } }
