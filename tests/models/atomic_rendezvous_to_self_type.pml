/* psw: holds states=10 transitions=11 */
/* Sender and receiver are of one type, each in an atomic sequence. */
chan c = [0] of { byte };
byte x;
active [2] proctype P() { byte v; atomic { if :: c!_pid :: c?v -> x = x + v + 1 fi; x = x * 2 } }
