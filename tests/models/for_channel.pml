/* psw: holds states=22 transitions=22 */
/* for over a channel rotates its messages. */
typedef m { byte v; bit w };
chan c = [3] of { m };
byte sum;
active proctype A() { m x; x.v = 1; c!x; x.v = 2; x.w = 1; c!x; for (x in c) { sum = sum + x.v } assert(sum == 3 && len(c) == 2); c?x; assert(x.v == 1 && x.w == 0) }
