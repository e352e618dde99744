/* psw: rejected */
/* A hidden variable of a process. */
active proctype A() { hidden byte x; x = 1 }
