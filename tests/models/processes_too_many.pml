/* psw: violated=too_many_processes */
/* The 256th process is an error; SPIN breaks off. */
active proctype P() { do :: run Q() od }
proctype Q() { (false) }
