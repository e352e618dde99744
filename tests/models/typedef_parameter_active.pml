/* psw: violated=assertion states=37 transitions=61 errors=13 */
/* Parameters of an active process are zero, whatever the type says. */
typedef T { byte n = 5; byte m }
active proctype Q(T t; byte z) { byte v = z; T s; assert(t.n == s.n); s.n = 2; skip }
init { T t; t.n = 7; t.m = 2; run Q(t, 4) }
