/* psw: holds states=8 transitions=9 */
/* else beside a rendezvous receive is always executable: no sender ever offers by itself. */
chan c = [0] of { byte };
byte got;
active proctype R() { byte v; if :: c?v -> got = v :: else -> got = 9 fi }
active proctype S() { end: c!1 }
