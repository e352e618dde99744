/* psw: holds states=13 transitions=15 */
/* States inside an atomic sequence are not stored, and nobody else moves. */
byte x, y;
active proctype A() { atomic { x = 1; x = 2; x = 3 } }
active proctype B() { y = x; assert(y == 0 || y == 3) }
