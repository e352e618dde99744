/* psw: holds states=10 transitions=10 */
/* Also behind braces, in an atomic sequence, and if more follows. */
byte x = 1, y;
active proctype P() {
    if :: x == 1 -> y = 1 :: d_step { { else -> y = 2 } } fi;
    atomic { y = 7; if :: x == 1 -> y = 1 :: d_step { else -> if :: y == 0 -> y = 2 :: else -> y = 3 fi } fi };
    do :: x == 1 -> y++; x = 2 :: d_step { else -> y = 4; x = 3; y = 5 }; break od;
    assert(y == 5)
}
