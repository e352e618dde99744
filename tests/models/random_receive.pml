/* psw: holds states=12 transitions=12 */
/* A random receive takes the oldest message that matches. */
chan c = [4] of { byte, byte };
active proctype S() { byte v; c!1,10; c!2,20; c!2,30; c!1,40; c??2,v; assert(v == 20); c??2,v; assert(v == 30); c??eval(1),v; assert(v == 10) }
