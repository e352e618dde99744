/* psw: rejected */
/* A global that is declared twice. */
byte x;
short x;
active proctype A() { x = 1 }
