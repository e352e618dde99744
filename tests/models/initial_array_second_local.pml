/* psw: holds states=5 transitions=5 spin=differs */
/* One initial value for the second local array after a statement: the packaged SPIN forgets it, the manual does not. */
active proctype A() { bool a[2] = true; true; bool b[2] = true; assert(b[1]) }
