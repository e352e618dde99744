/* psw: holds states=17 transitions=22 */
/* The escape may still be taken in front of the last statement, not behind it. */
byte x, y;
active proctype A() { { x = 1 } unless { y == 1; x = 10 }; x = x + 1 }
active proctype B() { y = 1 }
