/* psw: violated=invalid_end_state states=8 transitions=9 errors=1 */
/* The receive is the first executable option when it is asked for. */
chan c = [0] of { byte };
byte x, y;
active proctype R() { d_step { if :: c?x -> y = x + 1 :: x == 0 -> y = 1 fi }; assert(y == 8 || y == 1) }
active proctype S() { c!7 }
