/* psw: violated=endless_d_step spin=differs */
/* A d_step without end is found; SPIN hangs. */
byte x;
active proctype P() { d_step { x = 1; do :: x = 1 - x od; skip } }
