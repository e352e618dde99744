/* psw: violated=division_by_zero spin=differs */
/* So is a remainder by zero. */
byte d, x;
active proctype A() { x = 3 % d }
