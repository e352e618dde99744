/* psw: holds states=12 transitions=15 */
/* A label that is looked at from outside makes a state of the break it stands on. */
byte x;
active proctype A() { do :: x < 2 -> x++; here: break :: x == 5 od; x = 9 }
active proctype B() { if :: A[0]@here :: x > 7 fi }
