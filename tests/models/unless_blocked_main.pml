/* psw: holds states=8 transitions=10 */
/* The main sequence blocks until the escape fires. */
byte x, y;
active proctype A() { { (x == 5) } unless { y == 1 }; x = 7 }
active proctype B() { y = 1 }
