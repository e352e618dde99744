/* psw: violated=assertion states=4 transitions=4 errors=1 */
/* An element of a bit array keeps a byte in the verifier. */
bit b[2];
active proctype A() { b[0] = 3; assert(b[0] == 1) }
