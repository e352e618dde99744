/* psw: holds states=41 transitions=67 */
/* A rendezvous send in the atomic sequence hands control to the receiver, between two runs. */
chan c = [0] of { byte };
byte n;
proctype A(byte id) { byte x; c?x; n = n + x + id }
init { atomic { run A(1); c!5; run A(2); c!6; run A(3); c!7 } }
