/* psw: holds states=11 transitions=11 */
/* A poll neither binds nor removes, and a variable in it matches anything. */
chan c = [2] of { byte, byte };
active proctype S() {
	byte v = 9, w = 1;
	assert(!(c?[1,v])); c!1,5; assert(c?[1,v]); assert(!(c?[2,v])); assert(v == 9 && len(c) == 1);
	assert(c?[eval(w),v]); c!2,6; assert(!(c?[2,v])); assert(c??[2,v])
}
