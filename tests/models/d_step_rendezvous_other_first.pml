/* psw: violated=invalid_end_state states=3 transitions=3 errors=1 */
/* Another option comes first, so that the d_step never meets the sender. */
chan c = [0] of { byte };
byte x, y;
active proctype R() { d_step { if :: x == 0 -> y = 1 :: c?x -> y = x + 1 fi }; assert(y == 1) }
active proctype S() { c!7 }
