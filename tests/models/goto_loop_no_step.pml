/* psw: holds states=4 transitions=4 */
/* A label on a jump. */
byte x;
active proctype A() { a: goto b; c: x++; goto d; b: goto c; d: x++ }
