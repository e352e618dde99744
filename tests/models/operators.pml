/* psw: holds states=10 transitions=10 */
/* Operators and their precedence. */
int a = -7, b = 2;
active proctype A() {
	assert(a / b == -3 && a % b == -1); assert(a >> 1 == -4); assert(1 << 3 | 1 == 9);
	assert((6 & 3) == 2 && (6 ^ 3) == 5 && ~0 == -1); assert(2 + 3 * 4 == 14 && (2 < 3) == 1);
	assert(!a == 0 && !(a == b)); assert((a < b -> 5 : 6) == 5); assert(- -3 == 3)
}
