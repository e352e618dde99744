/* psw: holds states=19 transitions=27 */
/* pc_value is a number that tells the states of a process apart. */
byte x;
active proctype A() { x = 1; x = 2 }
active proctype B() { byte a; a = pc_value(0); assert(a == pc_value(0) || x > 0) }
