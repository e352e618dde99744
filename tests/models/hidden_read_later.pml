/* psw: rejected spin=differs */
/* A hidden variable that is read in a later step makes SPIN's search unsound; psw refuses it. */
hidden byte h;
active proctype P() { do :: h < 5 -> h++ :: else -> break od; assert(false) }
