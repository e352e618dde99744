/* psw: holds states=4 transitions=4 */
/* A scalar is an array of one element. */
byte x;
active proctype A() { x[0] = 3; assert(x == 3) }
