/* psw: holds states=13 transitions=19 */
/* An escape that is never executable does nothing, and the sequence after it is not guarded. */
byte x, y;
active proctype A() { { x = 1; x = 2 } unless { y == 9 -> x = 10 }; x = 3 }
active proctype B() { y = 1 }
