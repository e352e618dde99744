/* psw: violated=array_index states=6 transitions=7 errors=1 */
/* A pattern that cannot be evaluated takes no message, and is an error. */
chan c = [0] of { byte };
byte a[2], i = 5, x;
active proctype R() { if :: c?eval(a[i]) -> skip :: c?x fi; assert(x == 7) }
active proctype S() { c!7 }
