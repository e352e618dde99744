/* psw: rejected */
/* A choice without options. */
active proctype A() { if fi }
