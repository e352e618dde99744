/* psw: violated=array_index states=9 transitions=9 */
/* A bad index in a guard. */
byte a[3], i;
active proctype A() { do :: a[i] == 0 -> i++ :: i >= 3 -> break od }
