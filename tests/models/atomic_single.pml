/* psw: holds states=7 transitions=9 */
/* An atomic sequence of one statement. */
byte x;
active [2] proctype A() { atomic { x++ } }
