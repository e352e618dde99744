/* psw: violated=invalid_end_state states=3 transitions=3 errors=1 */
/* A process at timeout is not in a deadlock, the one behind it is. */
byte x;
active proctype A() { timeout; x = 1 }
active proctype B() { (x == 2) }
