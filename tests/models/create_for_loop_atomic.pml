/* psw: holds states=87 transitions=195 */
/* In an atomic loop no process ends before all are there: each has a pid of its own. */
byte n;
proctype A(byte id) { assert(_pid == id); n = n + id; n = n - id }
init { byte i; atomic { for (i : 1 .. 3) { run A(i) } } }
