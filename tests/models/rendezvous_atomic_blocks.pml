/* psw: holds states=14 transitions=15 */
/* The sender blocks at a rendezvous in the middle of an atomic sequence and loses control. */
chan c = [0] of { byte };
byte x;
active proctype S() { atomic { x = 1; c!3; x = 2; x = 3 } }
active proctype R() { byte v; (x == 1); x = 5; c?v; x = x + v }
