/* psw: holds states=5 transitions=5 */
/* An if inside an option has an else of its own. */
byte x;
active proctype A() { if :: x == 0 -> if :: x == 1 -> x = 5 :: else -> x = 6 fi :: else -> x = 7 fi }
