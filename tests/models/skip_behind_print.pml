/* psw: holds states=20 transitions=20 */
/* In an option a skip behind a print is no step, unless it is labelled, or the option's last. */
mtype = { m };
byte x;
active proctype P() {
  if
  :: x == 0 -> printf("b"); skip; true; x = 1; printm(m); skip; printf("c"); L: skip; skip; printf("d"); skip
  :: else
  fi;
  printf("e"); skip;
  do
  :: x < 2 -> { printf("f"); skip }; atomic { printf("g"); skip; x++ }; printf("h"); 1; x = x + 0
  :: else -> break
  od
}
