/* psw: holds states=81 transitions=105 */
/* A label on a loop that opens a block or an inline. */
byte x, y, i;
bool c;
inline count() { L1: for (i : 1 .. 2) { y++ }; if :: c -> c = 0; goto L1 :: else fi }
inline choose() { L2: select (x : 1 .. 2); if :: c -> c = 0; goto L2 :: else fi }
active proctype Q() { c = 1 - c }
active proctype P() {
  x = 1;
  { L0: do :: x < 3 -> x++ :: else -> break od; if :: c -> c = 0; goto L0 :: else fi };
  count();
  choose()
}
