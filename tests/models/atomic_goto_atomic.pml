/* psw: holds states=10 transitions=11 */
/* A jump from one atomic sequence into another keeps control. */
byte x, y;
active proctype A() { atomic { x = 1; goto in }; x = 9; atomic { x = 5; in: x = 2; x = 3 } }
active proctype B() { y = x }
