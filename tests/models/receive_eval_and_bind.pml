/* psw: violated=invalid_end_state states=8 transitions=11 errors=1 spin=differs */
/* One receive matches x and binds it; SPIN puts the message back with the new x when it takes the step back. */
byte x, y;
chan q = [1] of { byte, byte };
active proctype A() { y = y }
init {
	do
	:: q?eval(x),x
	:: q!0,1
	od
}
