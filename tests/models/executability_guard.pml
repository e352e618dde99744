/* psw: holds states=16 transitions=20 */
/* An expression statement blocks until it is true. */
byte x;
active proctype A() { (x > 2); x = 10 }
active proctype B() { do :: x < 3 -> x++ :: else -> break od }
