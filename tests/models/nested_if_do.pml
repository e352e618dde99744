/* psw: holds states=35 transitions=40 */
/* Choices and loops in each other, choices as guards. */
byte x, y;
active proctype A() {
	do
	:: if :: x < 2 -> x++ :: y < 2 -> y++ fi
	:: x + y > 2 -> do :: x > 0 -> x-- :: else -> break od; break
	od
}
