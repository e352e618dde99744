/* psw: holds states=7 transitions=7 */
/* What is passed counts, not what the type says. */
typedef T { byte n = 5; byte m = 6 }
proctype Q(T t; byte z) { byte w = t.n; assert(t.n == 3 && t.m == 6 && w == 3 && z == 4); t.m++ }
init { T t; t.n = 3; run Q(t, 4) }
