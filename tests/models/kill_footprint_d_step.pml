/* psw: holds states=17 transitions=39 */
/* What a d_step writes on one of its ways is seen by it: the same step changes nothing where the value is there already. */
bit b;
byte x = 1;
active proctype P() {
end:	do
	:: d_step { skip; if :: b == 0 -> x = 1 :: else fi }
	od
}
active proctype Q() { x = 5; x = 6 }
active proctype R() { b = 1 }
