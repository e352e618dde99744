/* psw: violated=invalid_end_state states=1139 transitions=2356 errors=1 */
/* Pid 2 is an A, or a B when the A has died: a remote reference to a label of the A looks at it all the time. */
byte n;
proctype A() { n++; here: n++; n++ }
proctype B() { byte y = 9; n = n + y; n = n - y; y = 0 }
active proctype Look() { do :: A[2]@here -> n = 20; break :: n > 25 -> break :: n == 3 -> break od }
init { run A(); run B(); run A() }
