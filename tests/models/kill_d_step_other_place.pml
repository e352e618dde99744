/* psw: holds states=4 transitions=4 */
/* The same values at another place of a d_step are no circle, nor is the same place with other values. */
int n;
byte b;
active proctype P() {
	d_step {
		do
		:: n < 5000 ->
			if
			:: n % 2 == 0 -> b = 1
			:: else -> b = 2
			fi;
			n++
		:: else -> break
		od
	};
	assert(n == 5000)
}
