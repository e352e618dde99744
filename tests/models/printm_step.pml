/* psw: holds states=5 transitions=5 */
/* printm takes a step. */
mtype = { one, two };
mtype m = one;
active proctype A() { printm(m); printm(two); printf("%e %c %x %o %u\n", m, 65, 255, 8, 7) }
