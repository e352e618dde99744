/* psw: holds states=7 transitions=7 */
/* A trace with a field that may be anything. */
mtype = { a, b };
chan c = [2] of { mtype, byte };
trace { do :: c!a,_ ; c!b,3 od }
active proctype A() { c!a,1; c!b,3; byte v; c?a,v; c!a,9 }
