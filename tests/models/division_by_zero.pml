/* psw: violated=division_by_zero spin=differs */
/* A division by zero is a verdict; SPIN dies of it. */
byte d, x;
active proctype A() { x = 3 / d }
