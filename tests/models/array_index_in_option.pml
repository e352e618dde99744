/* psw: violated=array_index states=37 transitions=49 errors=5 spin=differs */
/* A bad index ends a path; SPIN goes on with what lies behind the array. With `d_step { i >= 0 && i < 3 -> … }` around the
   two statements that use the index, so that a bad one blocks, SPIN has the same 37 states and 49 transitions. */
byte a[3];
short i = -1;
active proctype A() {
  if
  :: i < 0 -> i++; a[i] = 1
  :: a[2] == 1 -> i = 5
  fi;
  a[i]++
}
active proctype B() { a[2] = 1; i = i + 1 }
