/* psw: holds states=10 transitions=10 */
/* A bit keeps the lowest bit. */
bit b;
bool c;
active proctype A() { b = 2; assert(b == 0); b = 3; assert(b == 1); c = 4; assert(!c); c = 5; assert(c) }
