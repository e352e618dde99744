/* psw: holds states=20 transitions=26 */
/* One option of the `if` creates a process and the other none: the process after it has pid 1 or 2. */
byte n;
proctype A() { n++; n++ }
proctype B() { assert(_pid == 1 || _pid == 2); n = n + 3 }
init { atomic { if :: run A() :: skip fi; run B() } }
