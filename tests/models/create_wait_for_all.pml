/* psw: holds states=795 transitions=1740 */
/* init waits until all have died and then creates others: pid 1 and 2 are A's in one phase and B's in the next. */
byte n;
proctype A(byte id) { n = n + id }
proctype B(byte id) { byte x; x = n; (x >= 3); n = n + id; x-- }
init {
  byte i;
  for (i : 1 .. 2) { run A(i) } (_nr_pr == 1);
  atomic { for (i : 1 .. 3) { run B(i) } } (_nr_pr == 1);
  assert(n == 9)
}
