/* psw: holds states=119 transitions=249 */
/* The guard of the loop is the `run` itself. */
byte n;
proctype A(byte id) { n = n + id }
init { byte i; do :: run A(i) -> i++; if :: i == 3 -> break :: else fi od }
