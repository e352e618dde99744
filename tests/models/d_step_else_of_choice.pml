/* psw: holds states=4 transitions=4 */
/* An else that opens a d_step is that of the choice around it. */
byte x = 1, y;
active proctype P() { if :: d_step { x == 1 -> y = 1 } :: d_step { else -> y = 2 } fi; assert(y == 1) }
