/* psw: holds states=54 transitions=114 */
/* Rendezvous, buffered and plain options together. */
chan c = [0] of { byte };
chan d = [1] of { byte };
byte x;
active proctype S() { do :: c!1 :: d!2 :: x < 2 -> x++ :: x == 2 -> break od }
active proctype R() { byte v; do :: c?v :: d?v :: x == 2 -> break od }
