/* psw: violated=array_index states=3 transitions=3 */
/* Reading beyond an array. */
byte a[3], i = 3, x;
active proctype A() { x = a[i] }
