/* psw: violated=invalid_end_state states=23 transitions=26 errors=3 */
/* A rendezvous needs the provided clauses of both sides, each with its own parameter. */
chan c = [0] of { byte };
byte w[2];
proctype R(byte t) provided (w[t] == 1) { byte v; c?v; w[t] = v }
proctype S(byte t) provided (w[t] == 1) { c!1 }
init { run R(0); run S(1); w[0] = 1; w[1] = 1; w[0] = 0; w[1] = 0 }
