/* psw: holds states=10 transitions=10 */
/* The widest unsigned variables. */
unsigned a : 31 = 2147483647, b : 30;
unsigned c : 1;
active proctype P() {
  a++;
  assert(a == 0);
  a--;
  assert(a == 2147483647);
  b = -1;
  assert(b == 1073741823);
  c = 3;
  assert(c == 1)
}
