/* psw: holds states=15 transitions=15 */
/* select over a range that is not constant is a loop. */
byte x, lo = 2, hi = 4;
active proctype A() { select(x : lo .. hi); assert(x >= lo && x <= hi) }
