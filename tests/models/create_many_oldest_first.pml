/* psw: holds states=405 transitions=405 */
/* The oldest of 200 processes moves first, so that none can die before the last has moved. */
byte turn;
proctype A(byte id) { atomic { (turn == id); turn++ } }
init { byte i; atomic { for (i : 1 .. 200) { run A(i) }; turn = 1 } (_nr_pr == 1); assert(turn == 201) }
