/* psw: holds states=9 transitions=9 */
/* An unsigned keeps as many bits as it declares. */
unsigned x : 3;
active proctype A() { x = 9; assert(x == 1); x = 7; x++; assert(x == 0); x--; assert(x == 7) }
