/* psw: violated=assertion states=10 transitions=11 errors=1 */
/* A condition in front of a loop says nothing of the values in its second round. */
byte z;

active proctype P() {
	byte x;
	x < 5;
	do
	:: z = x; assert(z < 100); x = 200
	:: z > 4 -> break
	od
}
