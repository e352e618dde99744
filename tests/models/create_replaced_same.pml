/* psw: holds states=20 transitions=23 */
/* A process is replaced by one of its own kind, with another id. */
byte n;
proctype A(byte id) { byte x = id; n = n + x; x = 0 }
init { run A(1); (_nr_pr == 1); run A(2); (_nr_pr == 1); run A(4); assert(n >= 3) }
