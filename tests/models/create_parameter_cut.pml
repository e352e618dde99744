/* psw: holds states=23 transitions=35 */
/* An argument of 300 is 44 in a byte parameter, and 1 in a bit. */
byte n;
proctype A(byte id; bit b) { assert(id == 44 && b == 1); n = n + id; n = n - id }
init { atomic { run A(300, 3); run A(300 + 256, 255) } }
