/* psw: holds states=7 transitions=7 */
/* An atomic sequence of a low priority is not interrupted by a higher one. */
byte x, y;
active proctype A() priority 1 { atomic { x = 1; y = 1; x = 2 } }
active proctype B() priority 5 { (y == 1); y = x }
