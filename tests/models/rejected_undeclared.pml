/* psw: rejected */
/* A name that was never declared. */
active proctype A() { x = 1 }
