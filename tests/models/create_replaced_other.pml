/* psw: holds states=17 transitions=17 */
/* Pid 1 is an A first, and then a B with more locals and more locations. */
byte n;
proctype A() { n = 1 }
proctype B(byte k) { int x = 70000; short y = k; byte a[3]; a[2] = k; x = x + y; assert(x == 70000 + a[2]); n = n + a[2]; a[1] = n }
init { run A(); (_nr_pr == 1); run B(3); (_nr_pr == 1); run A() }
