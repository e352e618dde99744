/* psw: violated=too_many_channels states=1 transitions=1 errors=1 spin=differs */
/* The third process would have the 258th channel. SPIN needs larger states first: `VECTORSZ is too small`. */
chan c[252] = [1] of { byte };
proctype Q() { chan e[2] = [1] of { byte }; chan d = e[1]; d!5; c[0]!1; e[1]?5; end: false }
init { atomic { run Q(); run Q() } }
