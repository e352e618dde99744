/* psw: holds states=4 transitions=5 */
/* So does a label that only the claim looks at, although the claim is left out of this search. */
byte x;
active proctype A() { again: x = 1 - x; here: goto again }
never { do :: A[0]@here -> break :: else od }
