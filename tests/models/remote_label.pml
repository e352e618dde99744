/* psw: holds states=34 transitions=51 */
/* A process looks at where another one stands. */
byte x, y;
active proctype A() { x = 1; here: x = 2; x = 3 }
active proctype B() { if :: A[0]@here -> y = 1 :: else -> y = 2 fi; assert(y == 1 || y == 2) }
