/* psw: holds states=17 transitions=17 */
/* A sorted send inserts before the first greater message, over all fields. */
chan c = [6] of { byte, byte };
active proctype S() {
	byte a, b;
	c!!3,1; c!!1,9; c!!3,0; c!!2,2; c!!1,8;
	c?a,b; assert(a == 1 && b == 8); c?a,b; assert(a == 1 && b == 9); c?a,b; assert(a == 2);
	c?a,b; assert(a == 3 && b == 0); c?a,b; assert(a == 3 && b == 1)
}
