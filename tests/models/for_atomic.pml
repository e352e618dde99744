/* psw: holds states=10 transitions=11 */
/* A for inside an atomic sequence. */
byte i, n, y;
active proctype A() { atomic { for (i : 0 .. 3) { n = n + i } i = 0 } }
active proctype B() { y = n }
