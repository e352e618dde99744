/* psw: holds states=1442 transitions=4505 */
/* A process creates another, which creates another. */
byte n;
proctype C(byte id) { n = n + id }
proctype B(byte id) { run C(id + 1); n = n + id }
proctype A(byte id) { run B(id + 1); n = n + id }
init { run A(1); run A(4) }
