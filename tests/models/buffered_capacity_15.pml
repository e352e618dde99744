/* psw: holds states=141 transitions=245 */
/* The places of a channel behind its last message do not distinguish states. */
chan c = [15] of { byte };
byte v;
active proctype S() { byte i; do :: i < 8 -> c!i * 3; i++ :: else -> break od }
active proctype R() { do :: c?v :: v == 21 -> break od }
