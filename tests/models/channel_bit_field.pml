/* psw: holds states=5 transitions=5 */
/* A bit field of a message keeps a whole byte in the verifier. */
chan c = [1] of { bit };
active proctype S() { byte v; c!2; c?v; assert(v == 2) }
