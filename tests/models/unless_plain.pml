/* psw: holds states=6 transitions=6 */
/* The escape is tried before each statement. */
byte x;
active proctype A() { { x = 1; x = 2; x = 3 } unless { x == 2; x = 10 } }
