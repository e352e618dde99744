/* psw: holds states=10 transitions=12 */
/* The death of a process is not a part of an atomic sequence that is its whole body. */
byte x;
init { (_nr_pr == 1); assert(x > 0) }
active [2] proctype A() { atomic { x++; x = x * 2; x++ } }
