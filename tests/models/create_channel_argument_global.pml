/* psw: violated=invalid_end_state states=17 transitions=21 errors=1 */
/* Global channels are the arguments, in both orders; init may take back its own message. */
chan a = [1] of { byte }; chan b = [0] of { byte };
proctype P(chan in; chan out) { byte x; in?x; out!x + 1 }
init { byte x; atomic { run P(a, b); run P(b, a) }; a!1; a?x; assert(x == 1 || x == 3) }
