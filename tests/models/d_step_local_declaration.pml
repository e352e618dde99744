/* psw: holds states=4 transitions=4 */
/* A variable declared inside a d_step. */
byte y;
active proctype A() { d_step { byte t = 4; y = t; t++; y = y + t }; assert(y == 9) }
