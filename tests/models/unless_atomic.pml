/* psw: holds states=5 transitions=5 */
/* The escape is tried before each statement inside an atomic sequence too. */
byte x;
active proctype A() { atomic { x = 1; x = 2; x = 3 } unless { x == 2; x = 10 }; assert(x == 10) }
