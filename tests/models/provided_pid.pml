/* psw: holds states=5 transitions=5 */
/* A provided clause may depend on _pid. */
byte turn;
active [2] proctype A() provided (turn == _pid) { turn = 1 - turn; turn = 1 - turn }
