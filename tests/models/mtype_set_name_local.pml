/* psw: holds states=31 transitions=51 spin=differs */
/* A local variable with the name of an mtype set: SPIN makes it global, so that the processes write each other's. */
mtype:role = { lead, follow };
byte n;
active [2] proctype P() { mtype:role role; role = lead; n++; role = follow; n++ }
