/* psw: holds states=54 transitions=84 */
/* Escapes of a loop inside a loop. */
byte x, y;
active proctype A() { do :: { do :: x < 2 -> x++ :: x == 2 -> x = 0 od } unless { y == 1 -> y = 2 } :: y == 2 -> break od }
active proctype B() { y = 1 }
