/* psw: holds states=78 transitions=166 */
/* An array of rendezvous channels; the index decides who meets. */
chan c[3] = [0] of { byte };
byte got[3];
active proctype S() { byte i; do :: i < 3 -> c[i]!i + 1; i++ :: else -> break od }
active [3] proctype R() { byte v; c[2 - (_pid - 1)]?v; got[_pid - 1] = v }
