/* psw: holds states=488 transitions=1257 */
/* The parameter is constant at the `run`, and then a counter. */
byte n;
proctype A(byte id) { do :: id > 0 -> id--; n++ :: else -> break od }
init { byte i; atomic { for (i : 1 .. 3) { run A(i) } } }
