/* psw: holds states=6 transitions=6 */
/* A channel variable that has a channel of its own and is received into holds another one then. */
chan c = [1] of { chan };
chan q = [1] of { byte };
active proctype P() {
	chan v = [1] of { byte };
	c!q;
	c?v;
	v!7;
	assert(len(q) == 1)
}
