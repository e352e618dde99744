/* psw: violated=poll_rendezvous states=3 transitions=3 errors=1 */
/* Polling a rendezvous channel is an error. */
chan c = [0] of { byte };
active proctype A() { byte v; if :: c?[v] -> skip :: else fi }
