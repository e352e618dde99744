/* psw: violated=assertion states=8 transitions=8 errors=1 */
/* An else of a choice inside the d_step is its own. */
byte x = 1, y;
active proctype P() { if :: x == 1 -> y = 1 :: d_step { if :: x == 3 -> y = 9 :: else -> y = 2 fi } fi; assert(y == 1) }
