mtype = { ask, answer }; chan c = [0] of { mtype, byte };
active proctype Client() { byte r; { c!ask(1); c?answer(r) } unless { timeout }; assert(r == 2) }
active proctype Server() { byte n; end: do :: d_step { c?ask(n); n++ }; c!answer(n) od }
