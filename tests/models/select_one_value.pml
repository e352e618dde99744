/* psw: holds states=4 transitions=4 */
/* A select of a single value. */
byte x;
active proctype A() { select(x : 3 .. 3); assert(x == 3) }
