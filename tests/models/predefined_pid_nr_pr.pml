/* psw: holds states=40 transitions=82 */
/* _pid and _nr_pr. */
byte s;
active [3] proctype A() { s = s + _pid; assert(_nr_pr <= 3) }
