/* psw: holds states=11 transitions=13 */
/* A process waits until all others are gone. */
byte x;
init { atomic { run W(); run W() } (_nr_pr == 1); x = 100 }
proctype W() { x++ }
