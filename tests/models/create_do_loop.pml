/* psw: holds states=147 transitions=317 */
/* A counted `do` loop creates three processes, each with the counter as its id. */
byte n;
proctype A(byte id) { n = n + id }
init { byte i = 1; do :: i <= 3 -> run A(i); i++ :: else -> break od; assert(i == 4) }
