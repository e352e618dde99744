/* psw: violated=assertion states=37 transitions=50 errors=6 */
/* The same with a send that blocks, and with a receive. */
byte x, z, w;
chan c = [1] of { byte };
chan d = [1] of { byte };

active proctype Sender() {
	byte got;
	c!1;
end1:	atomic { x < 5; c!2; z = x };
	assert(z != 200);
end2:	atomic { x > 100; d?got; w = x };
	assert(w != 3)
}

active proctype Other() {
	byte got;
	x = 200;
end:	c?got;
	x = 3;
	d!1
}
