/* psw: violated=trace states=4 transitions=4 errors=1 */
/* A notrace that is completed. */
chan c = [2] of { byte };
notrace { c!1; c!2 }
active proctype A() { c!1; c!2 }
