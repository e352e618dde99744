/* psw: holds states=3 transitions=3 spin=differs */
/* Names of the C program that SPIN writes are ordinary names; SPIN's C does not compile. */
byte done;
active proctype P() { done = 1 }
