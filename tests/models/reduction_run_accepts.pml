/* psw: violated=assertion states=57 transitions=95 errors=17 */
/* Who is created may accept at once what an else beside an offer has been refused. */
chan c = [0] of { byte };
byte got;
proctype R() { byte x; c?x; got = x }
active proctype S() { if :: c!1 -> assert(got == 0) :: else -> skip fi; if :: c!2 :: else -> assert(false) fi }
active proctype M() { byte l; l = 1; run R(); l = 2 }
