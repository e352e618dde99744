/* psw: holds states=9 transitions=10 */
/* A process reads a variable of another one. */
byte x;
active proctype A() { byte v; v = 1; v = 2; (x == 1) }
active proctype B() { (A[0]:v == 2); x = 1 }
