/* psw: holds states=50 transitions=77 */
/* An inline inside an inline, with a choice in it. */
byte x;
inline step(v) { if :: v < 2 -> v++ :: else -> v = 0 fi }
inline two(v) { step(v); step(v) }
active [2] proctype A() { two(x) }
