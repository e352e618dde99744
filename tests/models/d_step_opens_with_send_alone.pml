/* psw: violated=rendezvous_in_d_step */
/* The same if nobody receives. */
chan c = [0] of { byte };
byte y;
active proctype S() { d_step { c!7; y = 1 } }
