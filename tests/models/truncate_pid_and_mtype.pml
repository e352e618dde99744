/* psw: holds states=6 transitions=6 */
/* pid and mtype are bytes. */
mtype = { one, two };
pid p;
mtype m;
active proctype A() { p = 258; assert(p == 2); m = 257; assert(m == two) }
