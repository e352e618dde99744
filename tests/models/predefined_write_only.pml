/* psw: holds states=9 transitions=9 */
/* The write-only variable takes part in no state. */
active proctype A() { byte i; do :: i < 2 -> _ = i; i++ :: else -> break od }
