/* psw: holds states=19 transitions=19 */
/* Pid 1 has priority 1 first and priority 4 when it is created again. */
byte n;
proctype A(byte id) { n = n + id; assert(_priority == id); n = n + _priority }
init { run A(1) priority 1; (_nr_pr == 1); run A(4) priority 4; n = n * 2; run A(1) }
