/* psw: holds states=7 transitions=7 */
/* timeout with priorities. */
byte x;
active proctype A() priority 5 { timeout; x = 1 }
active proctype B() priority 1 { x = 2; x = 3 }
