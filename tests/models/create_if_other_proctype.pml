/* psw: holds states=43 transitions=53 */
/* Pid 1 is an A or a B, as init chooses; pid 2 is a B or an A. */
byte n;
proctype A() { byte x; x = 2; n = n + x; n = n + 1 }
proctype B() { n = 7 }
init { atomic { if :: run A(); run B() :: run B(); run A() fi }; (_nr_pr == 1) }
