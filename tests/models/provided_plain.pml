/* psw: holds states=17 transitions=23 */
/* A provided clause guards every statement of its processes. */
byte x, turn;
active proctype A() provided (turn == 0) { x = 1; x = 2; x = 3 }
active proctype B() { turn = 1; turn = 0 }
