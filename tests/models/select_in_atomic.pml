/* psw: holds states=24 transitions=27 */
/* A select inside an atomic sequence. */
byte x, y;
active proctype A() { atomic { select(x : 0 .. 2); y = x } }
active proctype B() { y = 9 }
