/* psw: violated=rendezvous_in_d_step */
/* A rendezvous send in a d_step is an error, also where it comes first. */
chan c = [0] of { byte };
byte y;
active proctype S() { d_step { c!7; y = 1 } }
active proctype R() { byte x; c?x; assert(x == 7) }
