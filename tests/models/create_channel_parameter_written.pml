/* psw: holds states=53 transitions=68 */
/* The process overwrites its channel parameter with the next one. */
chan a = [2] of { byte }; chan b = [2] of { byte };
proctype P(chan c; byte id) { c!id; c = b; c!id + 10 }
init { byte i; atomic { for (i : 1 .. 2) { run P(a, i) } }; (_nr_pr == 1); assert(len(a) == 2 && len(b) == 2) }
