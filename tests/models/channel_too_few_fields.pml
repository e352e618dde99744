/* psw: violated=message_arity states=1 transitions=1 errors=1 spin=differs */
/* A send with too few fields is an error when it is executed; the step leads nowhere, while SPIN goes on with what it finds. */
chan c = [1] of { byte, byte };
active proctype A() { c!1 }
