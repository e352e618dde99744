/* psw: rejected spin=differs */
/* A run with too few arguments: the packaged SPIN crashes; psw rejects the model. */
proctype P(byte a; byte b) { assert(b == 0) }
init { run P(1) }
