/* psw: violated=assertion states=4 transitions=4 errors=1 */
/* An assertion inside a d_step is checked. */
byte x;
active proctype A() { d_step { x = 1; assert(x == 2); x = 3 }; assert(x == 3) }
