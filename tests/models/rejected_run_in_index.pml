/* psw: rejected spin=differs */
/* A run inside an index would be evaluated twice, as SPIN does. */
byte n;
byte a[4];
proctype A() { n++ }
init { a[run A()] = 1 }
