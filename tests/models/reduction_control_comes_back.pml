/* psw: holds states=12 transitions=16 */
/* Control comes back to who has offered: whether the step goes on depends on a pattern of what would be accepted then. */
chan c = [0] of { byte };
chan d = [0] of { byte };
byte g;
active proctype A() { c!1; d?eval(g) }
active proctype B() { byte y; atomic { c?y; d!5 } }
active proctype D() { byte l; l = 1; g = 5 }
