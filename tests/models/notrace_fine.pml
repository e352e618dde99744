/* psw: holds states=4 transitions=4 */
/* A notrace that is never completed. */
chan c = [2] of { byte };
notrace { c!1; c!1 }
active proctype A() { c!1; c!2 }
