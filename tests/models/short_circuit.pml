/* psw: holds states=4 transitions=4 */
/* The right operand of && and || is evaluated only when it decides. */
byte a[2], i = 5;
active proctype A() { assert(i > 1 || a[i] == 0); assert(!(i < 2 && a[i] == 0)) }
