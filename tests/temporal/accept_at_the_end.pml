/* temporal: labels=violated fair:labels=violated */
/* A run that ends at an accept label stays there forever. */
byte x
active proctype P() { x = 1; accept: (x == 2) }
