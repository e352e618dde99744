/* psw: holds states=23 transitions=41 */
/* Pids are given in the order of the text, init among them. */
byte p, i, q;
active proctype P() { p = _pid }
init { i = _pid }
active proctype Q() { q = _pid; (_nr_pr == 1 || q == 2); assert(q == 2) }
