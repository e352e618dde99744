/* psw: holds states=8 transitions=8 */
/* Fields of every type keep their range; a bit keeps one bit. */
chan c = [1] of { bit, bool, byte, short, int, pid };
active proctype S() {
	bit a; bool b; byte d; short e; int f; pid g;
	c!3,2,257,70000,-5,300; c?a,b,d,e,f,g;
	assert(d == 1); assert(e == 4464); assert(f == -5); assert(g == 44)
}
