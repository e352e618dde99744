/* psw: holds states=31 transitions=51 */
/* skip, true and a printf each take a step. */
active [2] proctype A() { skip; true; printf("a\n"); (1) }
