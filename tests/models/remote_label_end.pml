/* psw: holds states=4 transitions=4 */
/* A process that has ended is at no label. */
byte x;
active proctype A() { here: x = 1 }
active proctype B() { (!(A[0]@here)); x = 2; end: (x == 3) }
