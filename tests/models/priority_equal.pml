/* psw: holds states=13 transitions=17 */
/* Processes of equal priority interleave. */
byte x;
active [2] proctype A() priority 3 { x++; x++ }
active proctype B() { x = 0 }
