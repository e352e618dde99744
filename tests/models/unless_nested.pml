/* psw: holds states=22 transitions=30 */
/* Of nested escapes the outer one has priority. */
byte x, y;
active proctype A() { { { x = 1; x = 2 } unless { y > 0; x = 10 } } unless { y > 0; x = 20 }; assert(x != 10) }
active proctype B() { y = 1 }
