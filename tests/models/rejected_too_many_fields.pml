/* psw: rejected */
/* More values than the channel has fields. */
chan c = [1] of { byte };
active proctype A() { c!1,2 }
