/* psw: violated=assertion states=22 transitions=31 errors=1 */
/* The second process can have pid 1 if the first has died: the assertion that it never has fails. */
byte n;
proctype A(byte id) { n++; assert(_pid == id) }
init { run A(1); run A(2) }
