/* psw: holds states=3 transitions=3 */
/* A jump as the first statement of a process. */
byte x;
active proctype A() { goto b; x = 1; b: x = 2 }
