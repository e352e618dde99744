/* psw: holds states=22 transitions=30 */
/* A break out of a loop that is outside the atomic sequence. */
byte x, y;
active proctype A() { do :: atomic { x < 2; x++; if :: x == 2 -> break :: else fi } od; y = 1 }
active proctype B() { y = x }
