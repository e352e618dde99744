/* psw: holds states=144 transitions=260 */
/* The guards in the atomic loop are closed until a child moves: the loop is atomic only in part. */
byte free = 2, n;
proctype A(byte id) { byte x = id; n = n + x; free++ }
init { byte i; atomic { do :: free > 0 && i < 4 -> free--; run A(i); i++ :: i == 4 -> break od } }
