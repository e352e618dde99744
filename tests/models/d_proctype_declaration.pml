/* psw: violated=nondeterminism states=12 transitions=15 errors=3 */
/* The declaration of a structure is a step like another: it is held against a D_proctype. */
typedef T { byte n }
active D_proctype P() { byte x; do :: x < 3 -> x++ :: T t; break od }
