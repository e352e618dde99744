/* psw: rejected */
/* The write-only variable is read. */
byte x;
active proctype A() { x = _ }
