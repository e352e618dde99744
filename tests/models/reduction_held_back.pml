/* psw: holds states=76 transitions=100 */
/* A process of higher priority moves first, whenever it can; others make that possible, or no longer. */
byte a, b; chan q = [1] of { byte };
active proctype Low() priority 1 { byte l; l = 1; l = 2; assert(a != 1 || b == 0); l = 3 }
active proctype Also() priority 1 { byte k; k = 1; a = 1; k = 2; q!3; k = 4 }
active proctype High() priority 5 { byte m; a == 1 -> m = 1; b = 1; m = 2; a = 2; q?m; assert(m == 3) }
