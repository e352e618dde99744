/* psw: violated=endless_atomic spin=differs */
/* Where a sequence never ends, the others can still move: without it here, which is a deadlock. */
active proctype Waited() {
	here: skip
}
active proctype Waiting() {
	assert(true);
	atomic {
		do :: Waited[0]@here od
	}
}
