/* psw: holds states=6 transitions=6 */
/* Sorted send and random receive on a rendezvous channel are the plain ones. */
chan c = [0] of { byte };
active proctype S() { c!!3; c!!1 }
active proctype R() { byte v; c??v; assert(v == 3); c??1 }
