/* psw: rejected */
/* A jump to a label that is not there. */
active proctype A() { goto nowhere }
