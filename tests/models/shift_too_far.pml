/* psw: violated=shift spin=differs */
/* A shift by the width of an int or more has no meaning; SPIN leaves it to C. */
byte n = 33;
int x;
active proctype A() { x = 1 << n }
