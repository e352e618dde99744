/* psw: violated=invalid_end_state states=2 transitions=2 errors=1 */
/* A send to a full channel blocks. */
chan c = [1] of { byte };
active proctype S() { c!1; c!2 }
