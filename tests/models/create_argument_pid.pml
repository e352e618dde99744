/* psw: holds states=42 transitions=79 */
/* The argument is the pid or the number of processes at the `run`. */
byte n;
proctype A(pid parent; byte order) { assert(_pid == order && parent == 1); n = n + order; n-- }
active proctype First() { (n > 0) }
init { atomic { run A(_pid, _nr_pr); run A(_pid, _nr_pr) } }
