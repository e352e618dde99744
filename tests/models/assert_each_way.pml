/* psw: violated=assertion states=13 transitions=19 errors=5 */
/* A failed assertion counts each time its step is taken from a stored state. */
byte x;
active [2] proctype A() { x++; assert(x < 2) }
