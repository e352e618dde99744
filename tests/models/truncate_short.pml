/* psw: holds states=8 transitions=8 */
/* A short wraps around with its sign. */
short x = 32767;
active proctype A() { x++; assert(x == -32768); x--; assert(x == 32767); x = 65535; assert(x == -1) }
