/* psw: violated=bad_channel states=6 transitions=6 errors=3 spin=differs */
/* The channel of a process that is gone is gone too: both options fail, so init is stuck. SPIN's verifier looks at the memory
   where the channel was and finds it empty. */
chan g;
proctype P() { chan c = [2] of { byte }; g = c; c!1 }
init { byte x; run P(); _nr_pr == 1; if :: g?x :: len(g) == 0 fi }
