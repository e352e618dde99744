/* psw: holds states=4 transitions=4 */
/* mtype names count downward; a later declaration goes above the earlier ones. */
mtype = { a, b, c };
mtype = { d, e };
active proctype A() { assert(a == 3 && b == 2 && c == 1); assert(d == 5 && e == 4) }
