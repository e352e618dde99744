/* psw: holds states=62 transitions=88 */
/* The last process that init creates in its atomic sequence creates another one. */
byte n;
proctype C(byte id) { n = n + id }
proctype B() { byte x; run C(3); x = n; n = x + 1 }
init { atomic { run B(); n = 1 }; n++ }
