/* psw: holds states=20 transitions=20 */
/* select over a range that starts below zero. */
short x;
active proctype A() { select(x : -2 .. 1); assert(x < 2) }
