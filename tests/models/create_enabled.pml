/* psw: holds states=313 transitions=734 */
/* `enabled` of a pid that is free, that belongs to an A, or to a B later. */
byte n, seen;
proctype A() { (n > 0) }
proctype B() { n = 2; n = 3 }
active proctype Look() { seen = enabled(1); seen = 2 + enabled(2) }
init { run A(); n = 1; run B(); run B() }
