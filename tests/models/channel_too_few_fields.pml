/* psw: violated=message_arity states=3 transitions=3 errors=1 */
/* A send with too few fields is an error when it is executed. */
chan c = [1] of { byte, byte };
active proctype A() { c!1 }
