/* psw: violated=invalid_end_state states=40 transitions=52 errors=4 */
/* `_last` is the pid of the process that moved, also if it has died and its pid belongs to another. */
byte n;
proctype A(byte id) { n = n + id; (_last == 0 || _last == 2); n = n - id }
init { run A(1); run A(2); (_nr_pr == 1); run A(3) }
