/* psw: holds states=19 transitions=29 */
/* run inside an atomic sequence: the new processes wait until it ends. */
byte x;
proctype P(byte v) { x = x + v }
init { atomic { run P(1); run P(2); run P(4) } (_nr_pr == 1); assert(x == 7) }
