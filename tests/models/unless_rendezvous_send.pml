/* psw: holds states=11 transitions=12 */
/* A rendezvous send as escape. */
chan c = [0] of { byte };
byte x;
active proctype A() { { x = 1; x = 2; x = 3 } unless { c!10; x = 20 } }
active proctype B() { byte v; c?v; x = v }
