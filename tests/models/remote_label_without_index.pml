/* psw: holds states=45 transitions=62 */
/* Without a number the only process of that type is meant. */
byte x, y;
active proctype A() { x = 1; here: x = 2; x = 3 }
active proctype B() { if :: A@here -> y = x :: else -> y = 9 fi; assert(y != 0 || x == 0) }
