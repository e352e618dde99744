/* psw: holds states=12 transitions=14 */
/* The pid of a removed process is given again. */
byte a, b;
proctype P() { skip }
init { a = run P(); (_nr_pr == 1); b = run P(); assert(a == b) }
