/* psw: violated=assertion states=8 transitions=8 errors=1 */
/* As instances_block_that_blocks, in an inline. */
inline one_at_a_time() { run A(); _nr_pr == 1 }
proctype A() { byte x = 3; x++ }
proctype B() { byte y; assert(y == 3) }
init { atomic { one_at_a_time(); run B() } }
