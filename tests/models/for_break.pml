/* psw: holds states=12 transitions=12 */
/* break leaves a for. */
byte i;
active proctype A() { for (i : 0 .. 9) { if :: i == 2 -> break :: else fi } assert(i == 2) }
