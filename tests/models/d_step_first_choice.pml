/* psw: holds states=4 transitions=4 */
/* Nondeterminism inside a d_step takes the first executable option. */
byte x, y;
active proctype A() { d_step { x = 1; if :: x == 2 -> y = 1 :: x == 1 -> y = 2 :: x == 1 -> y = 3 fi }; assert(y == 2) }
