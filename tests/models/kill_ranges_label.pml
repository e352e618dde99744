/* psw: violated=assertion states=9 transitions=9 errors=1 */
/* A jump to a label brings other values than the way from above. */
byte z;
active proctype A() {
	byte i;
	i < 5;
L:	z = i;
	if
	:: i < 200 -> i = 200; goto L
	:: else
	fi;
	assert(z != 200)
}
