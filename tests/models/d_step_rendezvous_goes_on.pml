/* psw: violated=invalid_end_state states=8 transitions=9 errors=1 */
/* Behind the receive the d_step chooses and loops; the channel is found by an index. */
chan c[2] = [0] of { byte };
byte x, y;
active proctype R() {
    d_step { c[x]?y; do :: y > 3 -> y = y - 2 :: else -> break od; if :: y == 3 -> x = 1 :: else -> x = 0 fi };
    assert(y == 3 && x == 1)
}
active proctype S() { byte i; do :: c[i]!7; break :: i == 0 -> i = 1 od }
