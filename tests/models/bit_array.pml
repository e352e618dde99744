/* psw: holds states=4 transitions=4 spin=differs */
/* An element of a bit array has one bit; SPIN's verifier keeps a byte of it, its simulator does not. */
bit b[2];
active proctype A() { b[0] = 3; assert(b[0] == 1) }
