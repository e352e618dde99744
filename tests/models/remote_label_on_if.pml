/* psw: holds states=84 transitions=133 */
/* Labels on a choice, on a loop and behind a loop. */
byte x, y;
active proctype A() { one: if :: x == 0 -> x = 1 :: else -> x = 2 fi; two: do :: x < 3 -> x++ :: else -> break od; three: x = 7 }
active proctype B() { do :: A[0]@one -> y = 1 :: A[0]@two -> y = 2 :: A[0]@three -> y = 3; break :: x == 7 -> break od }
