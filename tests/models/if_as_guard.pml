/* psw: holds states=9 transitions=9 */
/* An if as a guard of an if has the guards of both at one state. */
byte x;
active proctype A() { if :: if :: x == 1 -> x = 5 :: x == 0 -> x = 6 fi :: x == 0 -> x = 7 fi; x++ }
