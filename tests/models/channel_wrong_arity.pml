/* psw: violated=message_arity states=6 transitions=6 errors=1 */
/* A channel received in a message carries other messages than the receiver believes. */
chan a = [1] of { chan };
chan c = [1] of { byte, byte };
active proctype P() { a!c }
active proctype R() { chan x; a?x; x!9 }
