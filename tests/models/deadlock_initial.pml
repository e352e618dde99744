/* psw: violated=invalid_end_state states=1 transitions=1 errors=1 */
/* Nothing can be executed in the first state. */
byte x;
active proctype A() { (x == 1); x = 2 }
