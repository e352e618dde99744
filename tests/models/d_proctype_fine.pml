/* psw: holds states=9 transitions=9 */
/* A D_proctype without nondeterminism. */
active D_proctype A() { byte x; do :: x < 3 -> x++ :: x >= 3 -> break od }
