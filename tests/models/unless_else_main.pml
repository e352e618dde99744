/* psw: holds states=19 transitions=23 */
/* else in the main sequence. */
byte x, y;
active proctype A() { { if :: x == 1 -> x = 2 :: else -> x = 3 fi; x = 4 } unless { y == 1 } }
active proctype B() { y = 1 }
