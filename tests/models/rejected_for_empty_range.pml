/* psw: rejected */
/* A constant range that is empty. */
byte i;
active proctype A() { for (i : 3 .. 1) { skip } }
