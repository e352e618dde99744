/* psw: holds states=11 transitions=11 */
/* A process of the highest priority that cannot move lets the next ones move. */
byte x;
active proctype A() priority 9 { (x == 2); x = 10; (x == 12) }
active proctype B() priority 5 { x++; x++; x = x + 1 }
active proctype C() priority 1 { x = x + 1 }
