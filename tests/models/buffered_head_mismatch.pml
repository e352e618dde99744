/* psw: violated=invalid_end_state states=3 transitions=3 errors=1 */
/* A receive looks at the first message only. */
chan c = [2] of { byte };
active proctype S() { c!1; c!2 }
active proctype R() { c?2; c?1 }
