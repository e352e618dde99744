/* psw: holds states=8 transitions=8 */
/* A parameter with a channel inside makes none: the next channel has the next number. */
typedef T { byte n = 5; chan c = [1] of { byte } }
proctype Q(T t) { chan e = [1] of { byte }; byte v; v = e; assert(v == 2); t.c!1; e!2 }
init { T t; run Q(t) }
