/* psw: violated=nondeterminism states=7 transitions=7 errors=1 */
/* Two executable options in a D_proctype. */
byte x;
active D_proctype A() { if :: x == 0 -> x = 1 :: x < 2 -> x = 2 fi }
