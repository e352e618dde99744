/* psw: holds states=8 transitions=8 */
/* `-->` is `->`. */
byte x;
active proctype P() {
  if :: x == 0 --> x = 1 :: else --> skip fi;
  x = (x == 1 --> 3 : 4);
  x == 3 --> x = x--> assert(x == 3)
}
