/* psw: holds states=12 transitions=19 */
/* A label that is looked at from outside makes a state of the jump it stands on. */
byte x;
active proctype A() { again: x = 1 - x; here: goto again }
active proctype B() { (A[0]@here) }
