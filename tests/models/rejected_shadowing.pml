/* psw: rejected */
/* An inner block may not use a name of an outer one again. */
active proctype A() { byte i; i = 1; { byte i; i = 2 } }
