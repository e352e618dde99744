/* psw: violated=invalid_end_state states=1168 transitions=2665 errors=18 */
/* An endless loop creates processes while there are fewer than four; all may wait for the same turn. */
byte turn;
proctype W(byte id) { byte x; (turn == id); x = id; turn = 1 - x }
init { end: do :: _nr_pr < 4 -> run W(0) :: _nr_pr < 4 -> run W(1) od }
