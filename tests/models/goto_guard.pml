/* psw: holds states=6 transitions=7 */
/* A jump as a guard is a step. */
byte x;
active proctype A() { if :: goto out :: x = 1 fi; x = 2; out: x = 3 }
