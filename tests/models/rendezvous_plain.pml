/* psw: holds states=6 transitions=6 */
/* A rendezvous is one step of two processes. */
chan c = [0] of { byte, bit };
active proctype S() { c!5,1; c!6,0 }
active proctype R() { byte v; bit b; c?v,b; c?v,b; assert(v == 6) }
