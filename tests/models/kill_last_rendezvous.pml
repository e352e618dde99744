/* psw: holds states=6 transitions=6 */
/* The last to move in a rendezvous is the receiver. */
chan c = [0] of { bit };
active proctype S() { c!1 }
active proctype R() { c?1 }
active proctype W() { _last == 1 }
