/* psw: holds states=7 transitions=7 */
/* The priority of a process comes from its run; without one it is 1. */
byte x;
proctype P() priority 3 { x = x * 2 + _priority }
init { atomic { run P(); run P() priority 7 } }
