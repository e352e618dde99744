/* psw: holds states=4 transitions=4 */
/* The variables of an older process can be seen when it has ended. */
byte x;
active proctype A() { byte v; v = 7 }
active proctype B() { (A[0]:v == 7); x = 1; end: (x == 2) }
