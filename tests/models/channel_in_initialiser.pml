/* psw: holds states=28 transitions=44 */
/* The initial value of a local looks at a channel declared before it; how many processes there are is found out in the run. */
proctype P() { chan q = [2] of { short }; byte d = len(q); q!1; d = len(q); assert(d == 1) }
init { run P(); run P() }
