/* psw: holds states=14 transitions=14 */
/* for over constants; the variable ends one above. */
byte i, n;
active proctype A() { for (i : 1 .. 3) { n = n + i } assert(n == 6 && i == 4) }
