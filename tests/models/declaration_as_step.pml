/* psw: holds states=46 transitions=65 */
/* A declaration after the first statement is a step that sets its initial value. */
byte g;
active proctype A() { g = 1; byte b = g + 1; g = 5; byte c; c = b; g = c }
active proctype B() { g = 7 }
