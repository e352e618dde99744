/* psw: holds states=6 transitions=6 spin=differs */
/* An index that the same receive sets: SPIN takes it back at another element. */
chan c = [1] of { byte, byte };
byte a[2], i;
active proctype P() {
  c!1, 1;
  if
  :: c?i, a[i]
  :: assert(a[0] == 0 && a[1] == 0 && i == 0)
  fi
}
