/* psw: violated=assertion states=22 transitions=33 errors=2 */
/* The same where the offer stands inside an atomic sequence. */
chan c = [0] of { byte };
chan d = [0] of { byte };
byte g, seen;
active proctype A() { byte l; atomic { l = 1; c!1; d?eval(g); seen = 1 } }
active proctype B() { byte y; atomic { c?y; d!5; seen = 2 } }
active proctype D() { byte l; l = 1; g = 5; assert(seen != 1); assert(seen != 2) }
