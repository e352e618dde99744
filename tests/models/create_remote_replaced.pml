/* psw: holds states=22 transitions=22 */
/* Pid 1 is an A twice, with other values: the remote reference to it means the process that is there. */
byte n;
proctype A(byte id) { byte x = id; n = x; wait: (n == 0) }
proctype B() { byte y = 9; n = y; n = 0 }
init { run A(1); (n == 1); assert(A[1]:x == 1 && A[1]@wait); n = 0; (_nr_pr == 1); run B(); (_nr_pr == 1); run A(7); (n == 7); assert(A[1]:x == 7); n = 0 }
