/* psw: holds states=95 transitions=174 */
/* A provided clause with a parameter: each process looks at its own, which it may change. */
byte w[3], n;
proctype P(byte t) provided (w[t] != 0) { n++; atomic { w[t]--; t = 3 - t; n++ }; n = 0 }
init { atomic { run P(1); run P(2) }; w[1] = 2; w[2] = 2; w[1] = 2 }
