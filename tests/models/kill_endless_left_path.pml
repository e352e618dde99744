/* psw: holds states=3 transitions=4 */
/* Two ways of different length through an atomic sequence meet: the second meets states of the first, but no circle. */
byte x, y;
active proctype P() {
	atomic {
		skip;
		if
		:: y++; y++; y++; y++; y++; y++; y++; y++; y++; y = 0
		:: y = 0
		fi;
		x++; x++; x++; x++; x++; x++; x++; x++; x++; x++
	}
}
