/* psw: holds states=85 transitions=100 */
/* Whether the atomic sequence blocks between the runs depends on another process. */
bool go; byte n;
proctype A(byte id) { n = n * 3 + id }
active proctype Go() { go = true }
init { atomic { run A(1); go; run A(2); n = 0; run A(3) } }
