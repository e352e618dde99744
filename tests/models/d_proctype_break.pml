/* psw: holds states=3 transitions=4 */
/* A break beside another option of a D_proctype. */
byte g;
active D_proctype P() { do :: g = 0 :: break od }
