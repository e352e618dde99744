/* psw: holds states=452 transitions=1131 */
/* `enabled` of a pid that is free, or belongs to an A that waits, or to a B that can move. */
byte n, seen;
proctype A() { (n > 0) }
proctype B() { n = 2; n = 3 }
active proctype Look() { seen = enabled(2); seen = 2 + enabled(2); seen = 4 + enabled(3) }
init { run A(); n = 1; run B(); run B() }
