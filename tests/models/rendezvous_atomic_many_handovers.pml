/* psw: holds states=3 transitions=3 */
/* Control changes hands four thousand times inside one step, and then the step ends. */
chan ping = [0] of { short };
chan pong = [0] of { short };
short n;
active proctype A() { short v; atomic { do :: n < 2000 -> n++; ping!n; pong?v :: else -> break od }; assert(v == n) }
active proctype B() { short v; end: do :: atomic { ping?v; pong!v } od }
