/* psw: holds states=108 transitions=243 */
/* Each process uses its own channel of an array, chosen by its id. */
chan q[3] = [1] of { byte };
proctype A(byte id) { byte x; q[id]?x; assert(x == id + 10); q[id]!x }
init { byte i; atomic { for (i : 0 .. 2) { run A(i) } }; q[0]!10; q[1]!11; q[2]!12 }
