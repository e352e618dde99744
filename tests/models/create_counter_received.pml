/* psw: holds states=229 transitions=457 */
/* The number of processes and the first id come by a channel. */
chan c = [0] of { byte, byte };
byte n;
proctype A(byte id) { n = n + id }
active proctype Asker() { if :: c!2, 1 :: c!3, 4 :: c!1, 9 fi }
init { byte k, id; c?k, id; do :: k > 0 -> run A(id); id++; k-- :: else -> break od }
