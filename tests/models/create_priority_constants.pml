/* psw: holds states=15 transitions=15 */
/* The priorities are constants, two of them equal: only the highest moves. */
byte n;
proctype A(byte id) { n = n * 3 + id; n = n % 50 }
init { run A(1) priority 3; run A(2) priority 2; run A(4) priority 3; n = 0 }
