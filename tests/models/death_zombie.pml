/* psw: violated=invalid_end_state states=21 transitions=24 errors=1 */
/* An ended process that cannot be removed yet is still counted by _nr_pr. */
byte x;
proctype P(byte v) { (x == v) }
init { run P(0); run P(1); assert(_nr_pr >= 2); x = 1; (_nr_pr == 1) }
