/* psw: holds states=200 transitions=200 */
/* select over many values is a loop. */
byte x;
active proctype A() { select(x : 1 .. 40); assert(x >= 1 && x <= 40) }
