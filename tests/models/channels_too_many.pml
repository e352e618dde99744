/* psw: violated=too_many_channels states=0 transitions=0 errors=1 spin=differs */
/* The numbers of channels are bytes. SPIN refuses the model: `too many channel types`. */
chan c[256] = [1] of { byte };
active proctype A() { chan d = c[255]; c[255]!1; d?_ }
