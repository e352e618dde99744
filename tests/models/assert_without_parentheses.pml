/* psw: holds states=3 transitions=3 */
/* assert takes any expression. */
byte x;
active proctype A() { assert x == 0 }
