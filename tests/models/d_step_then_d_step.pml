/* psw: holds states=18 transitions=21 */
/* Two d_steps in a row are two steps. */
byte x, y;
active proctype A() { d_step { x = 1; x = 2 }; d_step { x = 3; x = 4 } }
active proctype B() { y = x }
