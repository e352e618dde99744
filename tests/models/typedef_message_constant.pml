/* psw: holds states=8 transitions=8 */
/* A receive binds the fields of a structure one by one. */
typedef pt { byte x; byte y };
chan c = [2] of { pt, byte };
active proctype S() { pt a; a.x = 1; a.y = 2; c!a,3 }
active proctype R() { pt b; byte v; c?b,v; assert(b.x == 1 && b.y == 2 && v == 3) }
