/* psw: holds states=25 transitions=35 */
/* Each turn of the loop is an atomic sequence of its own. */
byte x, y;
active proctype A() { do :: atomic { x < 3 -> x++; y = x } :: atomic { x == 3 -> break } od }
active proctype B() { x = 0 }
