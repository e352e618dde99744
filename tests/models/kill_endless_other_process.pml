/* psw: holds states=29 transitions=59 */
/* Control goes to Q in the state in which P had it: no circle, for Q blocks there. */
chan c = [0] of { bit };
chan d = [1] of { bit };
bit x, b;
active proctype P() { atomic { do :: c!0 :: d?b :: x == 1 -> break od } }
active proctype Q() { atomic { do :: c?0 :: x == 1 -> break od } }
active proctype R() { d!0; d!0; x = 1 }
