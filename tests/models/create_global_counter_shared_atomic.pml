/* psw: holds states=573 transitions=1839 */
/* The loop is atomic, but the counter it starts from is written by another process. */
byte i, n;
proctype A(byte id) { n = n + id; n = n - id }
active proctype Writer() { i = 2; i = 5; i = 1 }
init { atomic { do :: i < 4 -> run A(i); i++ :: else -> break od } }
