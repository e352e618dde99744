/* psw: holds states=14 transitions=16 */
/* After a rendezvous from an atomic sequence to a receiver outside one, anyone may go on. */
chan c = [0] of { byte };
byte x;
active proctype S() { atomic { c!1; x = 1; x = 2 } }
active proctype R() { byte v; c?v; x = 10; x = 20 }
