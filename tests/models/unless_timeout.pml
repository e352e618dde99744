/* psw: holds states=5 transitions=5 */
/* timeout as escape. */
byte x;
active proctype A() { { x = 1; (x == 2); x = 3 } unless { timeout; x = 9 } }
