/* psw: holds states=8 transitions=8 */
/* A block opens a scope. */
byte g;
active proctype A() { g = 1; { byte t = 4; g = g + t }; { byte t = 2; g = g + t }; assert(g == 7) }
