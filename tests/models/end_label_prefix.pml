/* psw: violated=invalid_end_state states=11 transitions=14 errors=1 */
/* Every label that starts with end counts, and only the state in front of it. */
byte x;
active proctype A() { endless: (x == 1); x = 2 }
active proctype B() { end_b: (x == 2); (x == 3) }
active proctype C() { if :: x = 1 :: x = 5 fi }
