/* psw: holds states=45 transitions=61 */
/* Two runs at different places give the same pid different arguments. */
byte n;
proctype A(byte id; bool first) { n = n + id; (first || n > 2) }
init { if :: run A(1, true); run A(2, false) :: run A(3, true); run A(4, false) fi; (_nr_pr == 1); assert(n == 3 || n == 7) }
