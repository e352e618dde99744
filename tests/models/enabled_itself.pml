/* psw: violated=enabled_of_itself */
byte x;
active proctype A() { do :: enabled(_pid) -> x = 1 :: x == 0 -> x = 1; break od }
