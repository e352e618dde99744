/* psw: violated=assertion states=20 transitions=26 errors=2 */
/* An escape begins anywhere in the main part, not behind it. */
byte x, y, z;
active proctype A() {
	byte i;
	{ i = 200; y == 1; i = 0; i < 5 } unless { x == 1; z = i; assert(z != 200) }
}
active proctype B() { x = 1 }
