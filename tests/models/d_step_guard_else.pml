/* psw: holds states=16 transitions=18 */
/* A d_step beside else. */
byte x;
active proctype A() { if :: d_step { x == 1; x = 5 } :: else -> x = 6 fi }
active proctype B() { x = 1 }
