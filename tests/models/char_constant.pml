/* psw: holds states=5 transitions=5 */
/* A character is a number, also in a receive. */
chan c = [1] of { byte };
active proctype A() { byte x = 'a'; c!'b'; c?'b'; assert(x == 97) }
