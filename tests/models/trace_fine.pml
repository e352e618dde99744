/* psw: holds states=6 transitions=7 */
/* A trace assertion that the sends follow. */
chan c = [2] of { byte };
trace { end: do :: c!1; c!2 od }
active proctype A() { c!1; c!2 }
active proctype B() { byte v; end: do :: c?v od }
