/* psw: holds states=23 transitions=31 */
/* A rendezvous is in the main sequence, and the escape is plain. */
chan c = [0] of { byte };
byte x, y;
active proctype A() { byte v; { c?v; x = v } unless { y == 1; x = 10 } }
active proctype B() { end: c!1 }
active proctype C() { y = 1 }
