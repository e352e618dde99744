/* psw: holds states=20 transitions=23 */
/* The first process may have died when the second is created: pid 1 has id 1 or 2. */
byte by[3];
proctype A(byte id) { by[id] = _pid }
init { run A(1); run A(2); (_nr_pr == 1); assert(by[1] == 1 && by[2] >= 1) }
