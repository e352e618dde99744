/* psw: holds states=20 transitions=27 */
/* An escape out of a loop inside an atomic sequence. */
byte x, y;
active proctype A() { atomic { do :: x < 5 -> x++ :: x == 9 -> break od } unless { x == 3 -> y = 1; y = 2 } }
active proctype B() { x = x + 1 }
