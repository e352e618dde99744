/* psw: violated=invalid_end_state states=136 transitions=261 errors=1 */
/* A process of higher priority that moves once another one can. */
byte c, h;
active proctype Low() priority 1 { byte l; l = 1; l = 2; l = 3; assert(c != 1 || h > 0) }
active proctype Mid() priority 1 { byte k; k = 1; c == 1 -> k = 2 }
active proctype Set() priority 1 { byte m; m = 1; c = 1; m = 2; c = 2 }
active proctype High() priority 5 { enabled(1) && c > 0 -> h = 1 }
