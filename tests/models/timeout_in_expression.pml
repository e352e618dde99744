/* psw: holds states=11 transitions=13 */
/* timeout is a part of an expression. */
byte x;
active proctype A() { do :: timeout && x < 2 -> x++ :: x >= 2 -> break od }
active proctype B() { (x == 2) }
