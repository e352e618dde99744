/* psw: holds states=5 transitions=5 */
/* else beside a rendezvous send is blocked while a partner waits. */
chan c = [0] of { byte };
byte got;
active proctype S() { if :: c!1 :: else -> got = 9 fi }
active proctype R() { byte v; end: c?v; got = v }
