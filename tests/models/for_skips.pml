/* psw: holds states=21 transitions=21 */
/* Repeated skips are one step in an option of a choice, but not in the body of a for, which is written out as one. */
active proctype A() {
  byte i;
  for (i : 0 .. 1) { skip; skip; skip };
  do
  :: i > 0 -> skip; skip; skip; i--
  :: else -> break
  od
}
