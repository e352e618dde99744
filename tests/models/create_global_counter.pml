/* psw: holds states=120 transitions=250 */
/* The counter of the loop is a global variable that only init writes. */
byte i, n;
proctype A(byte id) { n = n + id }
init { do :: i < 3 -> run A(i); i++ :: else -> break od }
