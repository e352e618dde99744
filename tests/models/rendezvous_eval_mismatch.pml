/* psw: holds states=7 transitions=8 */
/* eval compares; nobody takes the message. */
chan c = [0] of { byte };
byte x = 3;
active proctype S() { c!2 }
active proctype R() { c?eval(x) }
active proctype T() { x = 2 }
