/* psw: holds states=4 transitions=4 */
/* An inline with a return value. */
byte x;
inline twice(v) { return v * 2 }
active proctype A() { x = twice(3); assert(x == 6) }
