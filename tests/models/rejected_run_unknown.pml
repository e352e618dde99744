/* psw: rejected */
/* run of what is no process type. */
init { run P() }
