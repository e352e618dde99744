/* psw: holds states=8 transitions=8 */
/* A channel in a structure. */
typedef link { chan c = [1] of { byte }; byte n };
link a[2];
active proctype A() { byte v; a[0].c!1; a[1].c!2; a[0].c?v; assert(v == 1); a[1].c?v; assert(v == 2) }
