/* psw: holds states=16 transitions=20 */
/* The arguments are elements of an array of channels: the processes form a chain. */
chan q[3] = [1] of { byte };
proctype P(chan in; chan out) { byte x; in?x; out!x * 2 }
init { byte i; atomic { for (i : 0 .. 1) { run P(q[i], q[i + 1]) } }; q[0]!3; q[2]?i; assert(i == 12) }
