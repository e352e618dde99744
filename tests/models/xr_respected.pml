/* psw: holds states=8 transitions=9 */
/* xr and xs promises that are kept. */
chan c = [1] of { byte };
active proctype R() { xr c; byte v; c?v; c?v }
active proctype S() { xs c; c!1; c!2 }
