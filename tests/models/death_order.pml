/* psw: holds states=15 transitions=23 */
/* Processes die in the reverse order of their creation; an older one that ended waits. */
byte x;
active proctype A() { skip }
active proctype B() { (x == 1) }
active proctype C() { (_nr_pr == 3); x = 1 }
