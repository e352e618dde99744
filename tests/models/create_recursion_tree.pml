/* psw: holds states=744 transitions=2036 */
/* Each process creates two smaller ones: the pids do not tell the depth. */
byte n;
proctype R(byte d) { if :: d > 0 -> run R(d - 1); run R(d - 1) :: else -> n++ fi }
init { run R(2); (_nr_pr == 1); assert(n == 4) }
