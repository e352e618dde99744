/* psw: holds states=6 transitions=6 */
/* A trace over receives. */
chan c = [2] of { byte };
trace { c?1; c?2 }
active proctype A() { byte v; c!1; c!2; c?v; c?v }
