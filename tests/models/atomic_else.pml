/* psw: holds states=7 transitions=9 */
/* else inside an atomic sequence. */
byte x, y;
active [2] proctype A() { atomic { if :: x == 0 -> x = 1 :: else -> y++ fi; y++ } }
