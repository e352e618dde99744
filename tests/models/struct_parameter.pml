/* psw: holds states=7 transitions=7 */
/* A structure as a parameter is passed field by field. */
typedef t { byte a; short b };
t v;
proctype P(t q) { assert(q.a == 3 && q.b == -1) }
init { v.a = 3; v.b = -1; run P(v) }
