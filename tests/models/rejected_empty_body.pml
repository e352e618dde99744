/* psw: rejected */
/* A body needs a statement or a declaration. */
active [2] proctype P() { }
