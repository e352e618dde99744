/* psw: holds states=8 transitions=8 */
/* A random receive that leaves the message. */
chan c = [3] of { byte, byte };
active proctype S() { byte v; c!1,7; c!2,8; c??<2,v>; assert(v == 8 && len(c) == 2); c?1,v; assert(v == 7) }
