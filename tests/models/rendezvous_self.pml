/* psw: violated=invalid_end_state states=1 transitions=1 errors=1 */
/* A process cannot meet itself. */
chan c = [0] of { byte };
active proctype S() { byte v; if :: c!1 :: c?v fi }
