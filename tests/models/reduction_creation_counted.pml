/* psw: violated=assertion states=62 transitions=173 errors=10 */
/* A process counts all of them while another one creates; nobody ever dies. */
byte few, many;
proctype X() { do :: true -> true od }
active proctype A() { byte l; l = 1; run X(); do :: true -> true od }
active proctype B() { byte l; l = 1; if :: _nr_pr == 2 -> few = 1 :: _nr_pr == 3 -> many = 1 fi; assert(few == 0); assert(many == 0); do :: true -> true od }
