/* psw: violated=assertion states=14 transitions=14 errors=1 spin=differs */
/* A hidden variable that is read in a later step makes SPIN's search unsound; it hides nothing in psw. */
hidden byte h;
active proctype P() { do :: h < 5 -> h++ :: else -> break od; assert(false) }
