/* psw: holds states=14 transitions=14 */
/* break as a guard is a step; at the end of an option it is not. */
byte x;
active proctype A() { do :: break :: x < 2 -> x++ od; do :: x > 0 -> break :: else -> break od }
