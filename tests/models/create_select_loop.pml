/* psw: holds states=64 transitions=115 */
/* The number of processes is selected: every number from 0 to 3 is possible. */
byte n;
proctype A(byte id) { n = n + id; n = n - id }
init { byte k, i; select (k : 0 .. 3); atomic { do :: i < k -> run A(i); i++ :: else -> break od } }
