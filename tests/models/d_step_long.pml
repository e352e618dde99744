/* psw: holds states=4 transitions=4 */
/* A d_step of two hundred thousand turns comes to its end. */
int n;
active proctype P() { d_step { do :: n < 200000 -> n++ :: else -> break od }; assert(n == 200000) }
