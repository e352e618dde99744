/* psw: holds states=37 transitions=61 */
/* Parameters of an active process are zero, whatever the type says. (In SPIN's simulator they are not.) */
typedef T { byte n = 5; byte m }
active proctype Q(T t; byte z) { byte v = z; T s; assert(s.n == 5 && (t.n == 0 || t.n == 7)); s.n = t.n; skip }
init { T t; t.n = 7; t.m = 2; run Q(t, 4) }
