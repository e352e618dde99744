/* psw: holds states=10 transitions=12 */
/* A buffered receive as the guard of a d_step. */
chan c = [1] of { byte };
byte sum;
active proctype A() { byte v; do :: d_step { c?v; sum = sum + v } :: sum == 3 -> break od }
active proctype B() { c!1; c!2 }
