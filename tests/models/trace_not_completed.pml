/* psw: violated=invalid_end_state states=9 transitions=11 errors=1 */
/* A run that ends inside a trace is an invalid end state. */
chan c = [2] of { byte };
trace { do :: c!1; c!2 od }
active proctype A() { c!1; c!2; c!1 }
active proctype B() { byte v; end: do :: c?v od }
