/* psw: holds states=5 transitions=5 */
/* run without a priority gives priority 1, whatever the declaration says. */
proctype P() priority 3 { assert(_priority == 1) }
init { run P() }
