/* psw: holds states=4 transitions=4 */
/* Only the chosen branch of a conditional expression is evaluated. */
byte a[2], i = 5, x;
active proctype A() { x = (i < 2 -> a[i] : 7); assert(x == 7) }
