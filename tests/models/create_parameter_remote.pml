/* psw: holds states=18 transitions=28 */
/* The parameter of another process is read by a remote reference, although it itself does not use it after the start. */
byte n;
proctype A(byte id) { (n > 0) }
init { atomic { run A(5); run A(6) }; assert(A[1]:id == 5 && A[2]:id == 6); n = A[2]:id; n++ }
