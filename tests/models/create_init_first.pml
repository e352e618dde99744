/* psw: holds states=99 transitions=177 */
/* init stands before an active process: the process it creates has pid 1, 2 or 3, as the active one may have died. */
byte n;
proctype A() { assert(_pid >= 1 && _pid <= 3); n = n + _pid }
init { assert(_pid == 0); run A(); run A() }
active proctype Last() { assert(_pid == 1); n++ }
