/* psw: holds states=4 transitions=4 */
/* Nested loops inside a d_step. */
byte i, j, n;
active proctype A() { d_step { i = 0; do :: i < 3 -> j = 0; do :: j < i -> j++; n++ :: else -> break od; i++ :: else -> break od; i = 0; j = 0 }; assert(n == 3) }
