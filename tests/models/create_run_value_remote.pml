/* psw: holds states=28 transitions=44 */
/* The pid that `run` gives is used to look at the process. */
byte n;
proctype A(byte id) { n++; (n >= 3); n = n + id }
init { pid p, q; p = run A(1); q = run A(4); assert(A[p]:id == 1 && A[q]:id == 4 && q == p + 1); n++ }
