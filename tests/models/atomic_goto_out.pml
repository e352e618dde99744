/* psw: holds states=28 transitions=34 */
/* A jump out of an atomic sequence loses control. */
byte x, y;
active proctype A() { atomic { x = 1; goto out; x = 7 }; x = 8; out: x = 2; x = 3 }
active proctype B() { y = x }
