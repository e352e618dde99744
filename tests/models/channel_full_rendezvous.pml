/* psw: holds states=4 transitions=4 */
/* A rendezvous channel is not full in the verifier. */
chan c = [0] of { byte };
byte x;
active proctype S() { if :: full(c) -> x = 1 :: nfull(c) -> x = 2 fi }
