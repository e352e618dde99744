/* psw: violated=assertion states=8 transitions=8 errors=1 */
/* The first process is gone before the second is created, and leaves its number to it. */
proctype A() { skip }
proctype B() { assert(false) }
init { atomic { { run A(); _nr_pr == 1 }; run B() } }
