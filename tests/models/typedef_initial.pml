/* psw: holds states=3 transitions=3 */
/* Initial values of fields. */
typedef rec { byte a = 4; byte b[2] = 6; bit c };
rec g[2];
active proctype A() { assert(g[1].a == 4 && g[1].b[1] == 6 && g[1].c == 0) }
