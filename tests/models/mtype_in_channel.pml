/* psw: holds states=5 transitions=5 */
/* mtype in messages, with both styles of arguments. */
mtype = { msg, ack };
chan c = [0] of { mtype, byte };
active proctype S() { c!msg(1); c?ack(1) }
active proctype R() { byte v; c?msg(v); c!ack(v) }
