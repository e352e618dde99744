/* psw: holds states=12 transitions=14 */
/* A channel sent away while its process lives on. */
chan c = [1] of { chan };
byte got;
proctype P() { chan mine = [1] of { byte }; mine!6; c!mine; (got == 6) }
init { chan q; run P(); c?q; q?got; assert(got == 6) }
