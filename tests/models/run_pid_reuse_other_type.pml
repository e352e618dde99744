/* psw: holds states=7 transitions=7 */
/* The pid of a process that died is given to one of another type. */
byte x;
proctype P() { x = 1 }
proctype Q() { x = 2; end: (x == 9) }
init { run P(); (_nr_pr == 1); run Q() }
