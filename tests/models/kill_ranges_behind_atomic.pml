/* psw: violated=assertion states=18 transitions=22 errors=2 */
/* What is known of a global inside an atomic sequence is known no longer behind it. */
byte x, z;
active proctype A() {
end:	atomic { x < 5 };
	z = x;
	assert(z != 200)
}
active proctype B() { x = 200 }
