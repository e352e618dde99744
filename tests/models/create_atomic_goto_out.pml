/* psw: holds states=88 transitions=131 */
/* A goto leaves the atomic sequence between two runs. */
byte n;
proctype A(byte id) { n = n + id }
init { atomic { run A(1); if :: goto out :: run A(2) fi }; n = 0; out: run A(4) }
