/* psw: holds states=96 transitions=170 */
/* Two creators at the same time: their children get the pids in any order. */
byte n;
proctype W(byte id) { n = n + id }
proctype A() { run W(1); run W(2) }
proctype B() { run W(4) }
init { atomic { run A(); run B() } }
