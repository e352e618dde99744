/* psw: holds states=25 transitions=37 */
/* A loop in an atomic sequence whose guards all block. */
byte x, y;
active proctype A() { atomic { do :: y > x -> x++ :: x == 3 -> break od } }
active proctype B() { do :: y < 3 -> y++ :: else -> break od }
