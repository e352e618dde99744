/* psw: holds states=13 transitions=13 */
/* select over few constants is one choice of one step each. */
byte x;
active proctype A() { select(x : 2 .. 5); assert(x >= 2 && x <= 5) }
