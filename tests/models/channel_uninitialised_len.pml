/* psw: violated=uninitialised_channel states=1 transitions=1 errors=1 spin=differs */
/* The length of no channel; the step leads nowhere, while SPIN goes on with what it finds. */
chan c;
byte x;
active proctype A() { x = len(c) }
