/* psw: holds states=3 transitions=3 */
/* A process that waits at an end label may stay there forever. */
chan c = [0] of { byte };
active proctype Server() { byte v; end: do :: c?v od }
active proctype Client() { c!1 }
