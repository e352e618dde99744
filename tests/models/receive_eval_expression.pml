/* psw: holds states=7 transitions=7 */
/* eval takes any expression. */
chan c = [2] of { byte };
active proctype S() { byte i = 2; c!3; c!5; c?eval(i + 1); c?eval(i * 2 + 1); assert(len(c) == 0) }
