/* psw: holds states=13 transitions=18 */
/* A rendezvous as escape. */
chan c = [0] of { byte };
byte x;
active proctype A() { byte v; { x = 1; x = 2; x = 3 } unless { c?v; x = v } }
active proctype B() { end: c!10 }
