/* psw: violated=array_index states=3 transitions=3 */
/* Writing beyond an array. */
byte a[3], i = 3;
active proctype A() { a[i] = 1 }
