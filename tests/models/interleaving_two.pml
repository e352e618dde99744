/* psw: holds states=13 transitions=19 */
/* Two processes of two steps each interleave in every way; each death is a step of its own. */
byte x, y;
active proctype A() { x = 1; x = 2 }
active proctype B() { y = 1; y = 2 }
