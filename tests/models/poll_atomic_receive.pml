/* psw: holds states=47 transitions=78 */
/* Polling and receiving in one atomic sequence. */
chan c = [1] of { byte };
byte got;
active [2] proctype R() { byte v; do :: atomic { c?[v] -> c?v; got = got + v } :: got == 3 -> break od }
active proctype S() { c!1; c!2 }
