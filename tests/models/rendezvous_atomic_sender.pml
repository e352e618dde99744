/* psw: holds states=53 transitions=82 */
/* A rendezvous send in an atomic sequence passes control to the receiver for its step; then anyone moves. */
chan c = [0] of { byte };
byte x;
active proctype S() { atomic { x = 1; c!3; x = 2; x = 3 } }
active proctype R() { byte v; c?v; x = v + 10; x = v + 20 }
active proctype T() { x = x + 50 }
