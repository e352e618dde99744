/* psw: holds states=6 transitions=7 */
/* A receive may open a d_step: the d_step is then the receiver's half of the rendezvous. */
chan c = [0] of { byte };
byte x, y;
active proctype R() { d_step { c?x; y = x + 1 }; assert(y == 8) }
active proctype S() { c!7 }
