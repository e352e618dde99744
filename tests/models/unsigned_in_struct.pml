/* psw: holds states=5 transitions=5 */
/* unsigned as a field. */
typedef t { unsigned a : 2; unsigned b : 5 };
t v;
active proctype A() { v.a = 5; v.b = 33; assert(v.a == 1 && v.b == 1) }
