/* psw: holds states=31 transitions=45 */
/* The receiver is in an atomic sequence and goes on in it. */
chan c = [0] of { byte };
byte x;
active proctype S() { x = 1; c!3; x = 2; x = 3 }
active proctype R() { byte v; atomic { c?v; x = v + 10; x = v + 20 } }
active proctype T() { x = x + 50 }
