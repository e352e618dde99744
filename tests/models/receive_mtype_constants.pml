/* psw: holds states=11 transitions=13 */
/* mtype names in a receive are constants; a variable binds. */
mtype = { req, ack };
chan c = [2] of { mtype, byte };
active proctype S() { c!req(3); c!ack,4 }
active proctype R() { byte v; mtype m; c?req(v); assert(v == 3); c?m,v; assert(m == ack && v == 4) }
