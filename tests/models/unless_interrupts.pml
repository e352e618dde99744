/* psw: holds states=30 transitions=44 */
/* Another process triggers the escape. */
byte x, y;
active proctype A() { { x = 1; x = 2; x = 3 } unless { y == 1; x = 10 } }
active proctype B() { y = 1; y = 2 }
