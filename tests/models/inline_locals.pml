/* psw: holds states=10 transitions=10 */
/* Variables of an inline belong to each expansion. */
byte x;
inline twice(v) { byte t; t = v; v = t * 2 }
active proctype A() { x = 3; twice(x); twice(x); assert(x == 12) }
