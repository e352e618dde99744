/* psw: holds states=800 transitions=999 */
/* Two hundred processes. */
byte n;
proctype P(byte me) { (n == me); n++ }
init { byte i; atomic { do :: i < 199 -> run P(i); i++ :: else -> break od } (n == 199) }
