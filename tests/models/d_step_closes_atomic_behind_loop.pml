/* psw: holds states=13 transitions=15 */
/* A loop that is left by a break may be followed by a d_step if that closes an atomic sequence. */
byte x, y, i;
bool c;
active proctype Q() { c = 1 - c }
active proctype P() {
  atomic { x = 1; do :: c -> break :: else -> c = 1 od; d_step { x = 2; y = x } };
  atomic { for (i : 1 .. 2) { x++ }; { d_step { x++; y = x } } }
}
