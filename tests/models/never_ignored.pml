/* psw: holds states=4 transitions=4 */
/* A never claim is no part of the search for deadlocks and assertions. */
byte x;
never { do :: x == 9 -> break :: else od }
active proctype A() { x = 1; x = 9 }
