/* psw: holds states=12 transitions=12 */
/* The created process has a higher priority than its creator, in the middle of an atomic sequence. */
byte n;
proctype A(byte id) { n = n * 2 + id }
init { atomic { run A(1) priority 5; run A(2) priority 3; run A(3) priority 7 }; n++ }
