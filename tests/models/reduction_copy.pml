/* psw: violated=assertion states=23 transitions=31 errors=5 */
/* A message that is only looked at is there as long as nobody takes it. */
chan c = [2] of { byte };
init { c!1; c!2; atomic { run A(); run B() } }
proctype A() { byte l; c?<l>; assert(l == 1); assert(l == 2) }
proctype B() { byte l; c?l }
