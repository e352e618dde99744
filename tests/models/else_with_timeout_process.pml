/* psw: holds states=7 transitions=7 */
/* A process at else can move, so timeout cannot. */
byte x;
active proctype A() { if :: x == 1 -> x = 2 :: else -> x = 3 fi }
active proctype B() { timeout; x = 4 }
