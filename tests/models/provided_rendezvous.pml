/* psw: holds states=10 transitions=12 */
/* A receiver whose provided clause is false is no partner. */
chan c = [0] of { byte };
byte x;
active proctype S() { c!1; x = 2 }
active proctype R() provided (x == 1) { byte v; c?v }
active proctype T() { x = 1 }
