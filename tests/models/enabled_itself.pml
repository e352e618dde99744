/* psw: violated=enabled_of_itself spin=differs */
/* A process may not ask about itself. SPIN says so too, and searches no further. */
byte x;
active proctype A() { do :: enabled(_pid) -> x = 1 :: x == 0 -> x = 1; break od }
