/* psw: holds states=131 transitions=290 */
/* The loop is made of gotos and entered in its middle. */
byte n;
proctype A(byte id) { n = n + id }
proctype B() { byte x = 9; n = n + x; x = 0 }
init {
  byte i = 1;
  goto middle;
again: run B();
middle: run A(i); i++;
  if :: i <= 2 -> goto again :: else fi
}
