/* psw: violated=assertion states=18 transitions=22 errors=2 */
/* What a condition says of a global is not believed where anybody may move. */
byte x, z;
active proctype A() {
end:	x < 5;
	z = x;
	assert(z != 200)
}
active proctype B() { x = 200 }
