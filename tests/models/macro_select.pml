/* psw: holds states=7 transitions=7 */
/* Inside a macro a select over few constants is one choice, as it is outside. */
#define f(v) select (v : 1 .. 3)
byte x;
active proctype P() { f(x) }
