/* psw: holds states=21 transitions=33 */
/* inline is textual substitution. */
byte x;
inline add(v, n) { v = v + n; v = v + n }
active [2] proctype A() { add(x, 2); atomic { add(x, 1) } }
