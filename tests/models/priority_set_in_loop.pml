/* psw: holds states=4 transitions=6 spin=differs */
/* The priority of a process is a part of the state; SPIN leaves some of its bits out. */
byte g;
active proctype A() { g = 0 }
active proctype B() { do :: set_priority(_pid, 3) od }
