/* psw: holds states=7 transitions=7 spin=differs */
/* A pattern that the same receive changes: SPIN puts another message back, and loses the second option. */
chan c = [1] of { byte, byte };
byte x = 1;
active proctype P() {
  c!1, 5;
  if
  :: c?eval(x), x
  :: c?1, _; assert(x == 1)
  fi
}
