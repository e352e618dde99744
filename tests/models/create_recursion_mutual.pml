/* psw: holds states=128 transitions=227 */
/* Two proctypes create each other until the depth is zero. */
byte n;
proctype A(byte d) { byte x = d; run B(x - 1); n = n + 1 }
proctype B(byte d) { chan c = [1] of { byte }; if :: d > 0 -> c!d; run A(d) :: else -> n = n * 2 fi }
init { run A(3) }
