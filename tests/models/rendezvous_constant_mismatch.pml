/* psw: holds states=8 transitions=9 */
/* A receiver with another constant is no partner. */
chan c = [0] of { byte, byte };
byte got;
active proctype S() { c!1,7; c!2,8 }
active proctype R1() { byte v; end: do :: c?2,v -> got = v od }
active proctype R2() { byte v; end: do :: c?1,v -> got = v od }
