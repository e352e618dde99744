/* psw: holds states=30 transitions=35 */
/* A deterministic step changes what the next process is created with. */
byte n;
proctype A(byte id) { n = n * 2 + id }
init { byte k = 1; run A(k); d_step { n = 1; k = 2 }; run A(k) }
