/* psw: holds states=7 transitions=7 */
/* Structures in structures, with arrays in both. */
typedef in { byte a[2]; bit f };
typedef out { in s[2]; short t };
out g;
active proctype A() { out l; g.s[1].a[0] = 5; l.s[0].a[1] = g.s[1].a[0]; l.t = -4; g.s[0].f = 1; assert(l.s[0].a[1] == 5 && l.t == -4 && g.s[0].f) }
