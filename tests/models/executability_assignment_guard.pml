/* psw: holds states=6 transitions=6 */
/* An assignment is always executable, also as a guard. */
byte x;
active proctype A() { if :: x = 1 :: x = 2 -> x = 3 :: (x == 5) -> x = 9 fi }
