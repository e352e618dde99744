/* psw: holds states=6 transitions=7 */
/* timeout looks at provided clauses: a process that may not move is not executable. */
byte x;
active proctype A() provided (x == 1) { x = 2 }
active proctype B() { timeout; x = 1 }
