/* psw: violated=invalid_end_state states=3 transitions=3 errors=1 */
/* 254 processes beside init are as many as there can be. */
byte n;
proctype A() { (n == 1) }
init { short i; atomic { for (i : 1 .. 254) { run A() } }; n = 2; end: (false) }
