/* psw: holds states=12 transitions=14 */
/* The value of run is stored in an array element. */
byte p[2];
proctype P() { (p[0] == 9) }
init { p[0] = run P(); p[1] = run P(); assert(p[1] == p[0] + 1); p[0] = 9 }
