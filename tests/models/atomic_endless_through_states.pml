/* psw: holds states=5 transitions=9 */
/* A loop that ends an atomic sequence each time round is no endless atomic. */
bit x;
active proctype A() { do :: atomic { x = 1; x = 0 } od }
active proctype B() { x = 1 }
