/* psw: rejected */
/* One variable in two fields of a receive. */
chan c = [1] of { byte, byte };
active proctype A() { byte v; c!1,2; c?v,v }
