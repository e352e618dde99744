/* psw: holds states=5804 transitions=25605 */
/* The loop changes its counter itself, so that a process may be created again with the same id. */
byte n;
proctype A(byte id) { assert(id <= 5); n = n + id; n = n - id }
init {
  byte i = 1; bool back;
  atomic { do :: i <= 5 -> run A(i); if :: i == 3 && !back -> back = true; i-- :: i == 3 -> i = 5 :: else -> i++ fi :: else -> break od }
}
