/* psw: violated=assertion states=13 transitions=16 errors=2 */
/* The escape takes part in a rendezvous too, and so does the d_step that it escapes from. */
chan c = [0] of { byte };
byte x, y;
active proctype R() { { d_step { c?x; y = x + 1 } } unless { c?8; y = 5 }; assert(y == 8) }
active proctype S() { if :: c!7 :: c!8 fi }
