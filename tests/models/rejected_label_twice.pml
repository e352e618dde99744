/* psw: rejected */
/* A label twice in one process. */
byte x;
active proctype A() { l: x = 1; l: x = 2 }
