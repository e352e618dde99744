/* psw: violated=block_in_d_step */
/* A d_step that comes back to its first statement, where it must not block then. */
chan q = [2] of { byte };
active proctype A() { byte n; d_step { do :: q!1; if :: n == 1 -> break :: else -> n++ fi od } }
active proctype B() { byte v; end: q!7; q?v }
