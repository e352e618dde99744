/* psw: violated=array_index states=1 transitions=1 errors=1 */
/* A provided clause is evaluated although the process can only wait for a sender. */
byte a[2], i = 5; chan c = [0] of { byte };
active proctype A() provided (a[i] == 0) { byte v; end: c?v }
