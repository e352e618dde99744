/* psw: holds states=5 transitions=5 */
/* A rendezvous that can happen keeps timeout from being executable. */
chan c = [0] of { byte };
byte x;
active proctype A() { if :: c!3 :: timeout -> x = 1 fi }
active proctype B() { byte v; c?v; x = v }
