/* psw: holds states=22 transitions=27 */
/* The atomic sequence blocks between two runs: the first process can die before the second comes. */
byte n;
proctype A(byte id) { n = n + id }
init { atomic { run A(1); (n > 0); run A(2) }; n = n * 2 }
