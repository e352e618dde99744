/* psw: holds states=10 transitions=10 */
/* A byte wraps around. */
byte x = 255;
active proctype A() { x++; assert(x == 0); x--; assert(x == 255); x = 300; assert(x == 44); x = -1; assert(x == 255) }
