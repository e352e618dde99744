/* psw: violated=too_many_processes */
/* A process that creates its successor does not die before it: the pids run out. */
byte turn;
proctype R(bit b) { turn = b; run R(1 - b) }
init { run R(0) }
