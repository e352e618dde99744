/* psw: holds states=181 transitions=322 */
/* The argument is a variable that another process changes between the runs. */
byte v = 1, n;
proctype A(byte id) { n = n + id; id = 0 }
active proctype Writer() { v = 2; v = 4 }
init { run A(v); run A(v) }
