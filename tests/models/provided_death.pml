/* psw: holds states=6 transitions=8 */
/* Whether a process may die does not depend on its provided clause. */
byte x;
active proctype A() provided (x == 0) { x = 1 }
active proctype B() { skip }
