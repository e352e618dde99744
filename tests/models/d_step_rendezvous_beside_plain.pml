/* psw: holds states=26 transitions=35 */
/* A d_step, a plain receive and an else compete for the message. */
chan c = [0] of { byte };
byte x, y;
active proctype R() {
    if
    :: d_step { c?x; y = x + 1 }
    :: c?x; y = 3
    :: else -> y = 5
    fi;
    assert(y == 8 || y == 3 || y == 5)
}
active proctype S() { if :: c!7 :: else -> skip fi }
