/* psw: holds states=4 transitions=4 */
/* A choice as the first statement of a d_step is resolved too. */
byte x;
active proctype A() { d_step { if :: x == 0 -> x = 1 :: x == 0 -> x = 2 fi; x = x + 10 }; assert(x == 11) }
