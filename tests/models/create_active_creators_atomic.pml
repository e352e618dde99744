/* psw: holds states=150 transitions=343 */
/* The first creator has gone through its atomic loop before the second begins, or the other way round. */
chan q[4] = [1] of { byte };
active [2] proctype A() { byte i; atomic { for (i : 0 .. 1) { run W(i + 2 * _pid) } } }
proctype W(byte id) { q[id]!_pid; q[3 - id]?_ }
