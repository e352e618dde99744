/* psw: holds states=7 transitions=9 */
/* A hidden variable is no part of the state: written and read in one step it is harmless. */
hidden byte h;
byte x;
active [2] proctype A() { d_step { h = x; h++; x = h } }
