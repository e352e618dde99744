/* psw: holds states=17 transitions=22 */
/* A jump into the guarded sequence is guarded too. */
byte x, y;
active proctype A() { goto in; { x = 1; in: x = 2; x = 3 } unless { y == 1; x = 10 } }
active proctype B() { y = 1 }
