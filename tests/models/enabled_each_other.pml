/* psw: violated=enabled_of_itself spin=differs */
/* Whether the first can move depends on whether it can move. SPIN's verifier crashes. */
byte x;
active proctype A() { enabled(1); x++ }
active proctype B() { enabled(0); x++ }
