/* psw: holds states=9 transitions=9 */
/* A jump takes no step of its own. */
byte x;
active proctype A() { again: x++; if :: x < 3 -> goto again :: x >= 3 fi; x = 0 }
