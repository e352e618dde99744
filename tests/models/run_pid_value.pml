/* psw: holds states=16 transitions=26 */
/* run as an expression gives the pid of the new process. */
byte a, b;
proctype P() { skip }
init { atomic { a = run P(); b = run P() } assert(a == 1 && b == 2) }
