/* psw: violated=xs spin=differs */
/* A second writer breaks the promise of xs; SPIN does not check it when it does not reduce. */
chan c = [2] of { byte };
active proctype S() { xs c; c!1 }
active proctype T() { c!2 }
