/* psw: violated=invalid_end_state states=28 transitions=36 errors=1 */
/* An else that stands in front of a statement which can always be executed, and is taken all the same. */
byte n;
proctype R() { n++ }
active proctype P() { byte i; do :: if :: else -> run R() fi; break :: i++; i < 3 od; n < 2 }
