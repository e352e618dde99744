/* psw: holds states=4 transitions=4 */
/* The escape is tried only at the start of a d_step. */
byte x;
active proctype A() { d_step { x = 1; x = 2; x = 3 } unless { x == 2; x = 10 }; assert(x == 3) }
