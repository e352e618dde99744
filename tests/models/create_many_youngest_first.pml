/* psw: holds states=1685 transitions=3245 */
/* An atomic loop creates 40 processes that move from the youngest on: each can die while older ones still wait. */
byte turn;
proctype A(byte id) { (turn == id); turn-- }
init { byte i; atomic { for (i : 1 .. 40) { run A(i) }; turn = 40 } (_nr_pr == 1); assert(turn == 0) }
