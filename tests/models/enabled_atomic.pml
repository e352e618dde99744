/* psw: violated=invalid_end_state states=16 transitions=16 errors=1 */
/* enabled asks about the next step only. */
byte x, y;
active proctype A() { atomic { x == 1; x = 2; y = 1 } }
active proctype B() { do :: enabled(0) -> x = 3 :: x == 0 -> x = 1 :: x > 1 -> break od }
