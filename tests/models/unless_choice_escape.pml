/* psw: holds states=35 transitions=51 */
/* An escape that starts with a choice. */
byte x, y;
active proctype A() { { do :: x = 1 - x od } unless { if :: y == 1 -> x = 5 :: y == 2 -> x = 6 :: y == 1 -> x = 7 fi } }
active proctype B() { y = 1; y = 2 }
