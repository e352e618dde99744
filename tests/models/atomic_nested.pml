/* psw: holds states=10 transitions=11 */
/* An atomic sequence inside another changes nothing. */
byte x, y;
active proctype A() { atomic { x = 1; atomic { x = 2; x = 3 }; x = 4; x = 5 } }
active proctype B() { y = x }
