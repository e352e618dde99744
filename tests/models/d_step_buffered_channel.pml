/* psw: holds states=4 transitions=4 */
/* Buffered sends and receives inside a d_step. */
chan c = [2] of { byte };
active proctype A() { byte v; d_step { c!1; c!2; c?v; v = v + len(c) }; assert(v == 2) }
