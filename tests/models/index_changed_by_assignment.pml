/* psw: holds states=6 transitions=6 spin=differs */
/* An index that its own assignment changes: SPIN takes it back at another element, and goes on with a[0] == 3. */
byte a[4], j;
active proctype P() {
  if
  :: a[a[j] % 4] = 3
  :: j = 1; assert(a[0] == 0)
  fi
}
