/* psw: violated=block_in_d_step */
/* Blocking inside a d_step is an error. */
byte x;
active proctype A() { d_step { x = 1; x == 2; x = 3 } }
