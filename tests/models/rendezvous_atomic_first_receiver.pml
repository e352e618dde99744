/* psw: holds states=10 transitions=11 */
/* A receive as the first statement of an atomic sequence waits for a sender. */
chan c = [0] of { byte };
byte x;
active [2] proctype R() { byte v; atomic { c?v; x = x + v; x = x + v } }
active proctype S() { c!1; c!2 }
