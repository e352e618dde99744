/* psw: violated=message_arity states=1 transitions=1 errors=1 */
/* The message is evaluated although nobody stands ready to receive it. */
chan c = [0] of { byte, byte };
active proctype A() { end: c!1 }
