/* psw: holds states=13 transitions=14 */
/* run as a condition is executable and true. */
byte x;
proctype P() { x = 1 }
init { if :: run P() -> x = 5 fi; (_nr_pr == 1) }
