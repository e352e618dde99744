/* psw: violated=assertion states=13 transitions=15 errors=2 */
/* What a condition says of a global is true no longer when the next statement of an atomic sequence has blocked. */
byte x, y, z;

active proctype Reader() {
end:	atomic { x < 5; y == 1; z = x };
	assert(z != 200)
}

active proctype Writer() {
	x = 200;
	y = 1
}
