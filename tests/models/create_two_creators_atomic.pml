/* psw: holds states=52 transitions=67 */
/* Each creator is atomic, but which goes first is open. */
byte n;
proctype W(byte id) { (n == id); n++ }
proctype C(byte base) { byte i; atomic { for (i : 0 .. 1) { run W(base + i) } } }
init { atomic { run C(0); run C(2) } }
