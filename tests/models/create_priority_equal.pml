/* psw: holds states=16 transitions=16 */
/* All priorities are equal and higher than that of init, which waits. */
byte n;
proctype A(byte id) { n = n * 2 + id; n = n % 20 }
init { byte i; atomic { for (i : 1 .. 3) { run A(i) priority 2 } }; n = 0 }
