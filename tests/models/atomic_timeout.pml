/* psw: holds states=6 transitions=6 */
/* timeout at the start of an atomic sequence. */
byte x;
active proctype A() { atomic { timeout; x = 1; x = 2 } }
active proctype B() { x = 5; (x == 2) }
