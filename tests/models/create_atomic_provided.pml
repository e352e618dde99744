/* psw: holds states=32 transitions=45 */
/* A `provided` clause becomes false in the middle of the atomic sequence, after the first run. */
bool go = true; byte n;
proctype A(byte id) { n = n + id; go = true }
active proctype C() provided (go) { atomic { run A(1); go = false; run A(2); n = n * 2; run A(3) } }
