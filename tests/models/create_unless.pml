/* psw: holds states=165 transitions=281 */
/* An `unless` interrupts the creation at any point: the B comes after none, some or all of the A's. */
bool stop; byte n;
proctype A(byte id) { n = n + id }
proctype B() { byte x = 1; n = n * 2 + x }
active proctype Stopper() { stop = true }
init { { run A(1); run A(2); run A(3) } unless { stop -> run B() } }
