/* psw: holds states=8 transitions=10 */
/* Both sides are inside atomic sequences; control goes to the receiver. */
chan c = [0] of { byte };
byte x, y;
active proctype R() { atomic { d_step { c?x; y = x + 1 }; y++; y++ }; assert(y == 10) }
active proctype S() { byte z; atomic { z++; c!7; z++ } }
