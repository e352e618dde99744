/* psw: rejected */
/* A newline ends a statement: a condition cannot go on with && on the next line. */
byte x;
active proctype A() {
	x == 0
	&& x < 3;
	x = 1
}
