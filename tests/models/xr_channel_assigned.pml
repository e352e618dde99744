/* psw: violated=xr spin=differs */
/* The promise is about the channel that the variable was declared with. SPIN does not check it when it does not reduce. */
chan q = [2] of { byte };
chan unused;
byte x;
active proctype S() { q!1; q!2 }
active proctype B() { xr q; q?x }
active proctype C() { q?x }
active proctype W() { if :: x == 9 -> q = unused :: else -> skip fi }
