/* psw: violated=assertion states=248 transitions=698 errors=68 */
/* A run in an atomic sequence that a jump repeats is not the only one. */
byte n;
proctype A() { skip }
proctype B() { assert(n < 2); skip }
init {
L:	atomic { run A(); run B() };
	n++;
	if
	:: n < 2 -> goto L
	:: else
	fi
}
