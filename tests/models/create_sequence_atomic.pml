/* psw: holds states=43 transitions=85 */
/* Three runs in an atomic sequence: the ids need not be the pids. */
byte n;
proctype A(byte id) { n = n + id; n = n - id }
init { atomic { run A(7); run A(5); run A(7) }; (_nr_pr == 1) }
