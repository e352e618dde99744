/* psw: violated=assertion states=12 transitions=14 errors=1 */
/* A process behind init may be gone when init runs another one: the number is used again. */
bit x;
init { x == 1; run B() }
active proctype A() { x = 1 }
proctype B() { assert(_pid == 2) }
