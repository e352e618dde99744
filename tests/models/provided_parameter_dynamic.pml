/* psw: holds states=62 transitions=99 */
/* Processes that start each other, and whose provided clauses look at their parameters. */
typedef T { byte f; byte g };
byte w[3] = 1, n;
proctype Q(T t) provided (w[t.g] != _pid) { n++ }
proctype P(byte t) provided (w[t] != 0) {
  T s;
  if
  :: n < 3 -> n++; run P((t + 1) % 3)
  :: n == 2 -> s.g = t; run Q(s)
  :: else
  fi
}
init { run P(0); w[1] = 0; w[1] = 1 }
