/* psw: violated=assertion states=28 transitions=28 errors=7 */
/* What a condition said ends with an assignment, a receive and a choice that receives; a negated one says the contrary. */
byte z, y, v, w;
chan c = [2] of { byte };
active proctype A() {
	byte i, j, k;
	i < 5;
	i = 200;
	z = i;
	c!150;
	j < 5;
	if
	:: c?j
	:: skip
	fi;
	y = j;
	k = 100;
	!(k < 5);
	v = k;
	w--;
	assert(z != 200);
	assert(y != 150);
	assert(v != 100);
	assert(w != 255)
}
