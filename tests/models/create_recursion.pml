/* psw: holds states=111 transitions=275 */
/* A process creates itself with a smaller depth. */
byte n;
proctype R(byte d) { if :: d > 0 -> run R(d - 1) :: else fi; n = n + d }
init { run R(4) }
