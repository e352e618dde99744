/* psw: rejected */
/* An array without its index. */
byte a[2];
active proctype A() { a = 1 }
