/* psw: holds states=6 transitions=6 */
/* A d_step waits for its first statement. */
byte x;
active proctype A() { d_step { x == 1; x = 2; x = 3 } }
active proctype B() { x = 1; (x == 3) }
