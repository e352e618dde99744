/* psw: holds states=4 transitions=4 */
/* One initial value for all elements, and a list of values. */
byte a[3] = 7;
short b[3] = { 3, 1, 4 };
active proctype A() { assert(a[0] == 7 && a[2] == 7); assert(b[0] == 3 && b[1] == 1 && b[2] == 4) }
