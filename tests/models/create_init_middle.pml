/* psw: holds states=202 transitions=456 */
/* init stands between two active processes: the processes it creates get pid 2 when the younger one has died. */
byte n;
active proctype First() { n++ }
init { assert(_pid == 1); run B(_nr_pr); run B(_nr_pr) }
active proctype Last() { n++; assert(_pid == 2) }
proctype B(byte k) { assert(k >= 2 && k <= 4 && _pid <= k && _pid >= 2); n = n + k }
