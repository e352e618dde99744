/* psw: holds states=58 transitions=81 */
/* Three runs one after the other: the third process can have pid 1, 2 or 3. */
byte seen[4];
proctype A() { seen[_pid]++ }
init { run A(); run A(); run A(); (_nr_pr == 1); assert(seen[0] == 0 && seen[1] >= 1 && seen[1] + seen[2] + seen[3] == 3) }
