/* psw: violated=assertion states=26 transitions=53 errors=4 */
/* A process that is created accepts at once, so whoever creates it decides about an else. */
chan c = [0] of { byte };
bool refused;
proctype R() { byte l; do :: c?l od }
active proctype S() { if :: c!1 -> assert(!refused) :: else -> refused = true; assert(false) fi; do :: true -> true od }
active proctype M() { byte l; l = 1; run R(); do :: true -> true od }
