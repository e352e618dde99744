/* psw: violated=invalid_end_state states=14 transitions=16 errors=2 */
/* Once the escape was entered its rest may block. */
byte x, y;
active proctype A() { { x = 1; x = 2 } unless { y == 1; (x == 7); x = 8 } }
active proctype B() { y = 1 }
