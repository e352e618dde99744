/* psw: violated=block_in_d_step */
/* No option inside a d_step is executable. */
byte x;
active proctype A() { d_step { x = 1; if :: x == 2 -> x = 4 :: x == 3 -> x = 5 fi } }
