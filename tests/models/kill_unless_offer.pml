/* psw: holds states=21 transitions=29 */
/* An offer in an escape that nobody takes gives way to the main part. */
chan c = [0] of { bit };
bit x = 1;
byte y;
active proctype P() { { y = 1; y = 2 } unless { if :: c!0 :: x == 1 -> x = 0 fi } }
active proctype Q() { end: c?1 }
active proctype R() { x = 0 }
