/* psw: holds states=28 transitions=36 */
/* A rendezvous send next to an option that never blocks: if it is taken, others move before the next run. */
chan c = [0] of { byte };
byte n;
proctype A(byte id) { byte x; if :: c?x :: n > 0 fi; n = n + x + id }
init { atomic { run A(1); if :: c!5 :: n = 9 fi; run A(2) } }
