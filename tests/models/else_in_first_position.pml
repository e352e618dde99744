/* psw: holds states=9 transitions=9 */
/* The position of else does not matter. */
byte x;
active proctype A() { do :: else -> break :: x < 3 -> x++ od }
