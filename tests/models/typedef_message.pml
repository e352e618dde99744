/* psw: holds states=7 transitions=7 */
/* A structure is sent field by field. */
typedef pt { byte x; short y };
chan c = [2] of { byte, pt };
active proctype A() { pt p, q; p.x = 3; p.y = -5; c!7,p; c?7,q; assert(q.x == 3 && q.y == -5) }
