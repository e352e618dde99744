/* psw: violated=assertion states=20 transitions=27 errors=2 spin=differs */
/* set_priority of a process that has ended does nothing. SPIN takes it back with a value that it did not save. */
byte x;
active proctype P() { x = 1; set_priority(1, 1) }
active proctype Q() { x = 5; assert(x == 5) }
