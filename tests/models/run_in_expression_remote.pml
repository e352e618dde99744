/* psw: holds states=13 transitions=20 */
/* The rest of the expression looks at the process that it has just created. */
byte x;
proctype P(byte k) { byte v = k; v++; end: false }
init { x = run P(5) + P[1]:v; assert(x == 6); x = run P(8) + get_priority(2); assert(x == 3) }
