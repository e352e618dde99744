/* psw: holds states=79 transitions=122 */
/* An atomic `do` loop gives the ids downwards and the pids upwards. */
byte n;
proctype A(byte id) { assert(_pid + id == 4); n = n * 3 + id }
init { byte i = 3; atomic { do :: i > 0 -> run A(i); i-- :: else -> break od } }
