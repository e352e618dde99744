/* psw: holds states=122 transitions=190 */
/* Which of two runs is done depends on a variable that another process writes. */
bool go; byte n;
proctype A(byte id) { n = n + id }
active proctype Go() { go = true; n = n * 2 }
init { if :: go -> run A(1); n++ :: !go -> run A(2) fi; run A(4) }
