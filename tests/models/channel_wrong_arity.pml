/* psw: violated=message_arity states=3 transitions=3 errors=1 spin=differs */
/* A channel received in a message carries other messages than the receiver believes; the step leads nowhere, while SPIN goes on with what it finds. */
chan a = [1] of { chan };
chan c = [1] of { byte, byte };
active proctype P() { a!c }
active proctype R() { chan x; a?x; x!9 }
