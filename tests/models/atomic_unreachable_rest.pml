/* psw: holds states=7 transitions=9 */
/* A skip at the end of an atomic sequence is a step inside it. */
byte x;
active [2] proctype A() { atomic { x++; skip; skip } }
