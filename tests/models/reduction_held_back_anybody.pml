/* psw: holds states=42 transitions=58 */
/* Priorities among processes of which nobody knows how many there will be. */
byte n, g;
proctype Many() { byte l; l = 1; n--; l = 2 }
active proctype Maker() priority 1 { byte k; end: do :: n < 2 -> n++; run Many() priority 3 od }
active proctype Also() priority 1 { byte m; m = 1; g = 1; m = 2; assert(g == 1) }
