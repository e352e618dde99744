/* psw: holds states=48 transitions=101 */
/* A process that goes round through an accept label, beside one that only looks as if it did nothing else. */
active proctype A() { byte l; do :: l = 1; accept: l = 2; l = 3 :: break od; do :: l = 4; l = 5 od }
active proctype B() { byte k; k = 1; k = 2; accept: k = 3; k = 4 }
