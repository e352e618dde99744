/* The first process is gone before the second is created, and leaves its number to it. */
proctype A() { skip }
proctype B() { assert(false) }
init { atomic { { run A(); _nr_pr == 1 }; run B() } }
