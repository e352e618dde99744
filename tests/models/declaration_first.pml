/* psw: holds states=4 transitions=4 */
/* Declarations before the first statement take no step. */
byte g = 3;
active proctype A() { byte a = g; byte b = 2; g = a + b; assert(g == 5) }
