/* psw: holds states=30 transitions=48 */
/* A buffered receive as escape. */
chan c = [1] of { byte };
byte x;
active proctype A() { byte v; { do :: x < 2 -> x++ :: x > 0 -> x-- od } unless { c?v; x = v } }
active proctype B() { c!10 }
