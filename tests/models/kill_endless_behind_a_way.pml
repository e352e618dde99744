/* psw: violated=endless_atomic spin=differs */
/* An atomic sequence without end is found; SPIN runs into its depth limit. */
/* The circle begins behind a way that is not part of it. */
byte x;
active proctype P() { atomic { x = 1; x = 2; do :: x = 3; x = 4 od } }
