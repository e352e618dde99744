/* psw: violated=invalid_end_state states=5 transitions=6 errors=1 */
/* psw: x */
/* A d_step beside another executable statement is not held against a D_proctype, as in SPIN. */
byte g;
active D_proctype P() { do :: g < 2 -> g++ :: d_step { g == 1; g = 0 } :: g > 5 -> break od }
