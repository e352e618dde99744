/* psw: rejected */
/* full may not be negated. */
chan c = [1] of { byte };
active proctype A() { (!full(c)) }
