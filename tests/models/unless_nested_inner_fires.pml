/* psw: holds states=35 transitions=48 */
/* The inner escape fires when the outer one cannot, and is then itself guarded by the outer one. */
byte x, y;
active proctype A() { { { x = 1; x = 2 } unless { y == 1; x = 10; x = 11 } } unless { y == 2; x = 20 } }
active proctype B() { y = 1; y = 2 }
