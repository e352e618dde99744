/* psw: holds states=21 transitions=24 */
/* Control goes there and back over two rendezvous inside atomic sequences. */
chan a = [0] of { byte };
chan b = [0] of { byte };
byte x;
active proctype S() { byte v; atomic { a!1; b?v; x = v; x++ } }
active proctype R() { byte v; atomic { a?v; v++; b!v; x = x + 10 } }
active proctype T() { x = 100 }
