/* psw: holds states=5 transitions=5 spin=differs */
/* A bit field of a message has one bit; SPIN's verifier keeps a byte of it. */
chan c = [1] of { bit };
active proctype S() { byte v; c!2; c?v; assert(v == 0) }
