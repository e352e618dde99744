/* psw: holds states=17 transitions=19 */
/* An atomic sequence whose last statement is a loop. */
byte x, y;
active proctype A() { atomic { x = 1; do :: x < 4 -> x++ :: x > 2 -> break od } }
active proctype B() { y = x }
