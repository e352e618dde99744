/* psw: holds states=38 transitions=53 */
/* The rendezvous is the last statement of the sender's atomic sequence. */
chan c = [0] of { byte };
byte x;
active proctype S() { atomic { x = 1; c!3 }; x = 4 }
active proctype R() { byte v; c?v; x = v }
active proctype T() { x = x + 50 }
