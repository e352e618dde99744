/* psw: rejected */
/* A break outside a loop. */
active proctype A() { break }
