/* psw: holds states=9 transitions=9 */
/* A random receive matches all fields of one message. */
chan c = [3] of { byte, byte };
active proctype A() { c!1,2; c!2,1; c!2,2; c??2,2; assert(len(c) == 2); c??1,2; assert(c?[2,1]) }
