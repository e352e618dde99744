/* psw: holds states=7 transitions=9 */
/* A d_step that ends in a loop. */
byte x;
active [2] proctype A() { d_step { do :: x < 3 -> x++ :: else -> break od } }
