/* psw: violated=invalid_end_state states=10 transitions=12 errors=1 */
/* Two processes that leave for an atomic sequence each, from where they would have accepted what the other one offers. */
chan a = [0] of { bit }; chan b = [0] of { bit };
active proctype P() { bit m; if :: atomic { m = 1; a!m } :: b?m fi }
active proctype Q() { bit n; n = 1; if :: atomic { n = 0; b!n } :: a?n fi }
