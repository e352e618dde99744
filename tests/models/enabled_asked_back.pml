/* psw: violated=invalid_end_state states=24 transitions=32 errors=3 */
/* The question comes back, but has an answer. */
byte x;
active proctype A() { do :: x == 0 && enabled(1) -> x = 1 :: x == 1 -> break od }
active proctype B() { do :: x == 0 -> x = 2; break :: enabled(0) -> break od }
