/* psw: violated=invalid_end_state states=3 transitions=3 errors=1 */
/* A random receive blocks when nothing matches. */
chan c = [2] of { byte };
active proctype S() { c!1; c!2; c??3 }
