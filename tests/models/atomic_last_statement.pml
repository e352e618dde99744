/* psw: holds states=15 transitions=25 */
/* After the last statement of an atomic sequence others move again. */
byte x;
active [3] proctype A() { atomic { x++; x++ } }
