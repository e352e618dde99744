/* psw: violated=assertion states=10 transitions=11 errors=3 */
/* Assertions inside an atomic sequence. */
byte x;
active proctype A() { atomic { x = 1; assert(x == 2); x = 2; assert(x == 2) } }
active proctype B() { x = x + 4 }
