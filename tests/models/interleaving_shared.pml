/* psw: violated=assertion states=42 transitions=54 errors=1 */
/* A lost update: reading and writing a shared variable are separate steps. */
byte n, finished;
active [2] proctype P() { byte t; t = n; n = t + 1; finished++ }
active proctype Check() { (finished == 2); assert(n == 2) }
