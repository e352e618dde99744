/* psw: violated=rendezvous_in_d_step */
/* A d_step cannot offer a message, even if it is not known before that the channel is a rendezvous. */
chan c = [0] of { bit };
chan b = [1] of { bit };
active proctype P() {
	chan d;
	if
	:: d = c
	:: d = b
	fi;
	d_step { d!1; skip }
}
active proctype Q() { end: c?1 }
