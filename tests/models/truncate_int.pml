/* psw: holds states=6 transitions=6 */
/* An int wraps around. */
int x = 2147483647;
active proctype A() { x = x + 1; assert(x < 0); x = x - 1; assert(x > 0) }
