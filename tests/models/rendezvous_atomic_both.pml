/* psw: holds states=19 transitions=25 */
/* Control passes from the sender's atomic sequence to the receiver's, which keeps it until it ends. */
chan c = [0] of { byte };
byte x;
active proctype S() { atomic { x = 1; c!3; x = 2; x = 3 } }
active proctype R() { byte v; atomic { c?v; x = v + 10; x = v + 20 } }
active proctype T() { x = x + 50 }
