/* psw: violated=too_many_channels */
/* The 256th channel at run time is an error; SPIN breaks off. */
active proctype P() { do :: run Q() od }
proctype Q() { chan a[4] = [1] of { byte }; (false) }
