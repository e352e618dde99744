/* psw: violated=assertion states=13 transitions=15 errors=2 */
/* A choice that blocks in an atomic sequence lets others change what a condition before it said. */
byte x, y, z;
active proctype A() {
end:	atomic { x < 5; if :: y == 1 :: y == 2 fi; z = x };
	assert(z != 200)
}
active proctype B() { x = 200; y = 1 }
