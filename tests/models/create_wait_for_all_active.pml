/* psw: violated=invalid_end_state states=8 transitions=11 errors=1 */
/* `_nr_pr == 1` never holds, because an active process does not die before init. */
byte n;
active proctype First() { n++ }
proctype A() { n++ }
init { run A(); (_nr_pr == 1); run A() }
