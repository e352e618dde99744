/* psw: holds states=9 transitions=9 */
/* A random receive with only variables takes the first message. */
chan c = [3] of { byte, byte };
active proctype S() { byte v, w; c!4,1; c!5,2; c??v,w; assert(v == 4); c??v,2; assert(v == 5); assert(empty(c)) }
