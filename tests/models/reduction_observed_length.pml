/* psw: holds states=8 transitions=9 */
/* A send and a receive commute, but not before the eyes of somebody who counts messages. */
chan c = [2] of { byte };
active proctype A() { c!1; c!2 }
active proctype B() { byte l; c?l; c?l }
ltl { [] (len(c) != 1) }
ltl two { [] (len(c) != 2) }
