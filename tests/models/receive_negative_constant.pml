/* psw: violated=invalid_end_state states=4 transitions=4 errors=1 */
/* A negative constant in a receive matches. */
chan c = [2] of { short };
active proctype S() { c!-3; c?-3; c!-4; c?-3 }
