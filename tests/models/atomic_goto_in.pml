/* psw: holds states=18 transitions=21 */
/* A jump into the middle of an atomic sequence gains control there. */
byte x, y;
active proctype A() { goto in; atomic { x = 1; in: x = 2; x = 3 }; x = 4 }
active proctype B() { y = x }
