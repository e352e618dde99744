/* psw: holds states=159 transitions=278 */
/* Pid 1 is an A, and later a B: the remote reference to it means the process that is there. */
byte n;
proctype A(byte id) { byte x = id; n = x; wait: (n > 1) }
proctype B() { byte y = 9; n = y }
init { run A(1); (n == 1); assert(A[1]:x == 1); n = 2; run B(); run A(7); n++ }
