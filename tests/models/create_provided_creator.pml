/* psw: holds states=234 transitions=492 */
/* A creator may only move while there are few processes. */
byte n;
proctype A(byte id) { n = n + id; n = n - id }
active proctype C() provided (_nr_pr < 4) { run A(1); run A(2); run A(3); run A(4) }
