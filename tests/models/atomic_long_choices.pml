/* psw: holds states=34 transitions=1047 */
/* psw: x */
/* Choices far down a long atomic sequence are not taken for a sequence that never ends. */
byte a, i;
init {
  atomic {
    do
    :: i < 10 -> i++; if :: a = a + 1 :: a = a + 2 fi
    :: else -> break
    od
  };
  assert(a >= 10 && a <= 20)
}
