/* psw: holds states=6 transitions=7 */
/* d_steps as options of a choice. */
byte x;
active proctype A() { do :: d_step { x < 3; x++; x++ } :: d_step { x > 2; x = 10 } :: x == 10 -> break od }
