/* psw: holds states=7 transitions=9 */
/* Parameters of active processes are 0. */
active [2] proctype P(byte a; short b) { assert(a == 0 && b == 0) }
