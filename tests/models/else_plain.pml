/* psw: holds states=28 transitions=41 */
/* else is executable only when no other option of the same state is. */
byte x;
active proctype A() { do :: x == 0 -> x = 1 :: x == 1 -> x = 2 :: else -> break od }
active proctype B() { if :: x == 1 -> x = 0 :: else fi }
