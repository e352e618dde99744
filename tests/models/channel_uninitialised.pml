/* psw: violated=uninitialised_channel */
/* A receive from a channel variable that names no channel. */
active proctype A() { chan c; byte v; c?v }
