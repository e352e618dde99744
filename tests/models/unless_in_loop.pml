/* psw: holds states=41 transitions=55 */
/* An escape inside a loop with a break in it. */
byte x, y;
active proctype A() { do :: { x < 3; x++ } unless { y == 1 -> break } od; assert(x <= 3) }
active proctype B() { y = 1 }
