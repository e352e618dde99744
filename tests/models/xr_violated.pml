/* psw: violated=xr spin=differs */
/* A second reader breaks the promise of xr; SPIN does not check it when it does not reduce. */
chan c = [2] of { byte };
active proctype S() { c!1; c!2 }
active proctype R() { xr c; byte v; c?v }
active proctype T() { byte v; c?v }
