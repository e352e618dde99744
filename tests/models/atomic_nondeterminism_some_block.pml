/* psw: holds states=13 transitions=18 */
/* Of the choices inside an atomic sequence, some block behind it and lose control. */
byte x, y;
active proctype A() { atomic { if :: x = 1 :: x = 2 fi; (x == 1 || y == 1); x = x + 10 } }
active proctype B() { y = 1 }
