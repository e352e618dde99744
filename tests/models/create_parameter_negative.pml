/* psw: holds states=23 transitions=35 */
/* An argument of -1 stays so in a short, and is 255 in a byte. */
byte n;
proctype A(short s; byte b) { assert(s < 0 && b == 256 + s); n++; n-- }
init { byte i; atomic { for (i : 1 .. 2) { run A(0 - i, 0 - i) } } }
