/* psw: violated=endless_atomic spin=differs */
/* An atomic sequence without end is found; SPIN runs into its depth limit. */
byte x;
active proctype P() { atomic { x = 1; do :: x = 1 - x od } }
