/* psw: holds states=617 transitions=1656 */
/* The counter of the loop is a global variable that the processes write too: it says nothing about how many there are. */
byte i = 1;
proctype A(byte id) { if :: id < 4 && i > 1 -> i-- :: i++ fi }
init { do :: i < 4 && _nr_pr < 4 -> run A(i); i++ :: i >= 4 || _nr_pr >= 4 -> break od }
