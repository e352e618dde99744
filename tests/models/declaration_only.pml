/* psw: holds states=2 transitions=2 */
/* A body of declarations alone has nothing to do but to die. */
active proctype A() { byte x }
