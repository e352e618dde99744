/* psw: holds states=12 transitions=12 */
/* Inside an inline a select is a loop, even over few constants. */
byte x;
inline f() { select (x : 1 .. 3) }
active proctype P() { f() }
