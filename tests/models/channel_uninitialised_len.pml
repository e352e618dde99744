/* psw: violated=uninitialised_channel states=3 transitions=3 errors=1 */
/* The length of no channel. */
chan c;
byte x;
active proctype A() { x = len(c) }
