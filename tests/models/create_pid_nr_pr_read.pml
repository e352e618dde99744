/* psw: holds states=516 transitions=1055 */
/* What `_pid` and `_nr_pr` are depends on who has died. */
byte n;
proctype A() { byte me = _pid; byte all; all = _nr_pr; assert(me < all && all <= 4); n = n + me * all }
init { run A(); run A(); run A() }
