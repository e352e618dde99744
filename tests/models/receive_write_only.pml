/* psw: holds states=7 transitions=7 */
/* The write-only variable takes any value. */
chan c = [2] of { byte, byte };
active proctype S() { byte v; c!1,2; c!3,4; c?_,v; assert(v == 2); c?3,_ }
