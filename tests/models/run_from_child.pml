/* psw: holds states=18 transitions=25 */
/* A child creates processes and ends before them. */
byte x;
proctype C() { x++ }
proctype B() { run C(); run C() }
init { run B(); (x == 2) }
