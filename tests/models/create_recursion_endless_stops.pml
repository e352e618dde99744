/* psw: holds states=63 transitions=63 */
/* A process that creates its successor cannot die before it: pid after pid is taken, and then all die in turn. */
byte turn;
proctype R(byte d; bit b) { turn = turn * 2 + b; if :: d < 6 -> run R(d + 1, 1 - b) :: skip fi }
init { run R(0, 0) }
