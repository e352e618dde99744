/* psw: violated=invalid_end_state states=10 transitions=10 errors=1 */
/* An atomic sequence that blocks loses control and competes again. */
byte x, y;
active proctype A() { atomic { x = 1; y == 1; x = 2; x = 3 } }
active proctype B() { (x == 1); y = 1; y = 2 }
