/* psw: violated=block_in_d_step */
/* A send to a full channel inside a d_step. */
chan c = [1] of { byte };
active proctype A() { d_step { c!1; c!2 } }
