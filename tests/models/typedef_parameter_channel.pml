/* psw: violated=invalid_end_state states=23 transitions=28 errors=3 */
/* A channel inside a parameter is the one that is passed; no other is made. */
typedef T { byte n = 5; chan c = [1] of { byte }; byte m }
chan k = [2] of { byte };
proctype Q(T t; chan d) { chan e = [2] of { byte }; byte v; t.c!1; d!t.c; d!e; t.c?v }
init { T t; t.n = 3; run Q(t, k); run Q(t, k) }
