/* psw: holds states=271 transitions=645 */
/* A deterministic step between the runs computes the arguments. */
byte n;
proctype A(byte id) { n = n * 2 + id; n = n % 5 }
init { byte i, k = 1; atomic { do :: i < 3 -> d_step { k = k * 3 % 7; i++ }; run A(k) :: else -> break od }; assert(k == 6) }
