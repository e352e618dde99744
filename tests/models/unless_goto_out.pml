/* psw: holds states=16 transitions=23 */
/* A jump out of the main sequence leaves the escape behind. */
byte x, y;
active proctype A() { { x = 1; goto out; x = 2 } unless { y == 1; x = 10 }; x = 3; out: x = 4 }
active proctype B() { y = 1 }
