/* psw: holds states=6 transitions=6 */
/* An atomic sequence starts when its first statement is executable. */
byte x;
active proctype A() { atomic { x == 1; x = 2; x = 3 } }
active proctype B() { x = 1; (x == 3) }
