/* psw: holds states=7 transitions=8 */
/* The first process waits for the second. */
byte x;
active proctype A() { (x == 1) }
active proctype B() { (x == 0); x = 1 }
