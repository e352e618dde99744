/* psw: violated=assertion states=11 transitions=13 errors=2 */
/* A provided clause interrupts an atomic sequence: others change what a condition in it said. */
byte x, z;
bool free = true;
active proctype A() provided (free) {
	atomic { x < 5; free = false; z = x };
	assert(z != 200)
}
active proctype B() { !free; x = 200; free = true }
