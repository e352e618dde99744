/* psw: holds states=8 transitions=9 */
/* A loop without break is an end for nothing behind it. */
byte x;
active proctype A() { do :: x < 3 -> x++ :: x == 3 -> x = 0 od }
