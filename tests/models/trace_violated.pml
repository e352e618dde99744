/* psw: violated=trace states=4 transitions=4 errors=1 */
/* A send that the trace does not allow. */
chan c = [2] of { byte };
trace { do :: c!1; c!2 od }
active proctype A() { c!1; c!1 }
