/* psw: rejected */
/* run inside a d_step. */
proctype P() { skip }
active proctype A() { d_step { skip; run P() } }
