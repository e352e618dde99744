/* psw: rejected spin=differs */
/* A message into _pid: SPIN takes it, and writes what is no variable. */
chan q = [1] of { byte, byte };
byte c;
active proctype P() { q!1, 2; q?c(_pid) }
