/* psw: violated=assertion states=1077 transitions=2176 errors=33 */
/* Atomic sequences with silent statements in front of where they block, one after the other; some go on at once. */
chan d = [0] of { byte }; chan e = [0] of { byte }; byte z, w;
active [2] proctype Q() { byte x, i; do :: i < 2 -> end: atomic { i++; x = i; d!x; x = 0; e!x } :: else -> break od }
active proctype C() { byte y, k; end: do :: y = 1; y = 2; d?k -> z = k :: e?k -> w = w + 1; assert(w < 4 || z == 2) od }
active proctype T() { end: timeout -> assert(w == 4) }
