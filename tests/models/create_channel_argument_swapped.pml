/* psw: holds states=76 transitions=129 */
/* A channel variable changes between the runs, so the same `run` gives different channels. */
chan a = [1] of { byte }; chan b = [1] of { byte };
proctype P(chan c) { c!_pid }
init { chan c; byte i; c = a; for (i : 1 .. 2) { run P(c); c = b }; a?i; assert(i == 1); b?i }
