/* psw: holds states=16 transitions=16 */
/* len, empty, nempty, full and nfull. */
chan c = [2] of { byte };
active proctype S() {
	byte v;
	assert(len(c) == 0); empty(c); nfull(c); c!1; nempty(c); nfull(c); assert(len(c) == 1);
	c!2; full(c); nempty(c); assert(len(c) == 2); c?v; nfull(c); if :: full(c) -> assert(false) :: else fi
}
