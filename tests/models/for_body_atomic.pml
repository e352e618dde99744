/* psw: holds states=76 transitions=110 */
/* The body of a for is an atomic sequence. */
byte i, x, y;
active proctype A() { for (i : 0 .. 2) { atomic { x = x + i; x++ } } }
active proctype B() { y = x }
