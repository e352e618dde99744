/* psw: violated=invalid_end_state states=23 transitions=28 errors=3 */
/* A label of a process that does not exist yet, exists, and has died. */
byte n;
proctype A() { n = 1; here: n = 2; (n > 2) }
active proctype Look() { if :: A[2]@here -> n = 5 :: (n > 3) fi }
init { run A(); (n > 2); n = 4 }
