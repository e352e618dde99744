/* psw: holds states=9 transitions=11 */
/* enabled tells whether another process can move. */
byte x;
active proctype A() { (x == 1); x = 2 }
active proctype B() { if :: enabled(0) -> x = 5 :: else -> x = 1 fi }
