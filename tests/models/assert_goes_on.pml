/* psw: violated=assertion states=15 transitions=15 errors=1 */
/* A failed assertion is counted and the search goes on behind it. */
byte x;
active proctype A() { do :: x < 4 -> x++; assert(x != 2) :: else -> break od }
