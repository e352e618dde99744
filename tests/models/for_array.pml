/* psw: holds states=14 transitions=14 */
/* for over the indices of an array. */
byte a[3], i;
active proctype A() { for (i in a) { a[i] = i * 2 } assert(a[2] == 4) }
