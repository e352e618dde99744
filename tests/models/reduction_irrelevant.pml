/* psw: holds states=1011 transitions=2288 */
/* A variable that everybody counts up and prints, and nobody looks at. */
byte n; byte a;
active proctype P() { byte l; l = 1; n++; l = 2; n++; a = 1; printf("%d\n", n) }
active proctype Q() { byte k; k = 1; n++; k = 2; n = n + k; a = 2; n++ }
active proctype R() { byte m; m = 3; n = n * m; assert(a != 2 || m == 3); n-- }
