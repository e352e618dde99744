/* psw: holds states=4 transitions=4 */
/* An inline inside a d_step. */
byte x, y;
inline set(a, b) { a = b; b = b + 1 }
active proctype A() { d_step { set(x, y); set(x, y) }; assert(x == 1 && y == 2) }
