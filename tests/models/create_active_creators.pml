/* psw: holds states=3469 transitions=11501 */
/* Two instances of an active proctype create processes: both use the same statement. */
byte n;
active [2] proctype A() { byte i; for (i : 0 .. 1) { run W(i + 2 * _pid) } }
proctype W(byte id) { n = n + id }
