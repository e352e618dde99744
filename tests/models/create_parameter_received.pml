/* psw: holds states=60 transitions=96 */
/* The parameter is constant at the `run`, and overwritten by a receive. */
chan q[3] = [1] of { byte };
proctype A(byte id) { q[id]!id; q[0]?id; assert(id < 3); q[id]!id }
init { byte i; atomic { for (i : 1 .. 2) { run A(i) } }; q[1]?i; q[0]!i; q[2]?i; q[0]!i }
