/* psw: holds states=18 transitions=21 */
/* Between two atomic sequences others may move. */
byte x, y;
active proctype A() { atomic { x = 1; x = 2 }; atomic { x = 3; x = 4 } }
active proctype B() { y = x }
