/* psw: holds states=11 transitions=11 */
/* A process is created, runs and dies; its pid is used again. */
byte x;
proctype P() { x = _pid }
init { run P(); (_nr_pr == 1); run P(); (_nr_pr == 1); assert(x == 1) }
