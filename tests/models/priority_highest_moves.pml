/* psw: holds states=7 transitions=7 */
/* Only the processes of the highest priority that can move do move. */
byte x;
active proctype A() priority 1 { x = 1; x = 2 }
active proctype B() priority 5 { (x == 1); x = 10 }
