/* psw: violated=assertion states=7 transitions=7 errors=1 */
/* A jump into an option comes out of the choice with values that the condition in front of it excludes. */
byte z;

active proctype P() {
	byte x;
	goto start;
again:	x < 5;
	if
	:: z == 9 -> inside: skip
	:: else -> skip
	fi;
	z = x;
	assert(z < 100);
	goto done;
start:	x = 200;
	goto inside;
done:	skip
}
