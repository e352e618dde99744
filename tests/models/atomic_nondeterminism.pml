/* psw: holds states=39 transitions=47 */
/* Every choice inside an atomic sequence is explored. */
byte x, y;
active proctype A() { atomic { if :: x = 1 :: x = 2 :: x = 3 fi; if :: y = x :: y = x + 1 fi } }
active proctype B() { x = 7 }
